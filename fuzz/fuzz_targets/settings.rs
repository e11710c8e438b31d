//! Files of profiles, of settings and of experiments: any text is read or refused, and what was read is written and read
//! as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::config::{Config, Settings};
use mulstringfuzz::experiment::{Runs, Spec};
use mulstringfuzz::solver::profile::{Profile, Profiles, SolverSpec};
use mulstringfuzz_fuzz::{file, folder};

fuzz_target!(|text: &str| {
    let path = file("file.toml", text.as_bytes());
    if let Ok(profiles) = Profiles::with_file(Some(&path)) {
        for profile in profiles.iter() {
            let toml = toml::to_string(profile).expect("writable");
            assert_eq!(&toml::from_str::<Profile>(&toml).expect("own TOML"), profile);
            let spec = SolverSpec { name: profile.name.clone(), version: None, options: Vec::new() };
            drop(profiles.get(&spec).expect("a profile of this name"));
        }
    }
    if let Ok(settings) = Settings::read(&path)
        && let Ok(config) = Config::resolve(settings)
    {
        let written = file("config.toml", config.to_toml().expect("writable").as_bytes());
        let again = Config::resolve(Settings::read(&written).expect("own TOML")).expect("own settings");
        // Paths are relative to the file, and both files are in one folder.
        assert_eq!(again, config, "{}", folder().display());
    }
    if let Ok(spec) = Spec::read(&path) {
        for scale in spec.scale.keys() {
            let Ok(plan) = spec.plan(scale) else { continue };
            for task in plan.tasks().take(20) {
                match &plan.runs {
                    Runs::Campaigns(campaigns) => {
                        let seed = plan.seed_of(task.repeat);
                        drop(campaigns.config(task.arm, seed).expect("a plan that was checked"));
                    }
                    Runs::Hunts(hunts) => drop(hunts.config(task.arm).expect("a plan that was checked")),
                    Runs::Coverage(coverages) => drop(coverages.config().expect("a plan that was checked")),
                }
            }
        }
    }
});
