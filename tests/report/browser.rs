//! The page in a real browser: Debian's Chromium, which `scripts/requirements.sh --tests` installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::recorded::{experiment, measure_result_set, report};

/// The names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn browser() -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
    places
        .find(|place| place.is_file())
        .expect("Chromium is installed: run scripts/requirements.sh --tests as root, or install it")
}

/// Loads a page from a file, at a width and in a theme; `arguments` say what to do with it.
fn load(page: &Path, query: &str, width: u32, arguments: &[&str]) -> Output {
    let profile = tempfile::tempdir().expect("a scratch folder");
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},2400"))
        .args(arguments)
        .arg(format!("file://{}{query}", page.display()))
        .output()
        .expect("Chromium starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What the page says of itself, by the name of the attribute of its root.
fn attribute(document: &str, name: &str) -> Option<u32> {
    let root = document.split("<html").nth(1)?.split('>').next()?;
    root.split(&format!("data-{name}=\"")).nth(1)?.split('"').next()?.parse().ok()
}

/// Mean and spread (greatest minus least) of a picture's bytes.
fn brightness(picture: &Path) -> (u64, u8) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(picture).expect("a screenshot")));
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("its size")];
    let frame = reader.next_frame(&mut pixels).expect("its pixels");
    let pixels = &pixels[..frame.buffer_size()];
    let (channels, total) = match frame.color_type {
        png::ColorType::Rgba => (4, pixels.len() / 4 * 3),
        _ => (3, pixels.len()),
    };
    let colours = || pixels.chunks(channels).flat_map(|pixel| &pixel[..3]).copied();
    let sum: u64 = colours().map(u64::from).sum();
    let (least, most) = (colours().min().unwrap_or(0), colours().max().unwrap_or(0));
    (sum / total as u64, most - least)
}

#[test]
fn a_browser_shows_every_plot_without_an_error_in_both_themes() {
    let folder = experiment();
    measure_result_set(&folder.path().join("runs/default/001"));
    let (written, _) = report(&[folder.path()], &folder.path().join("report"));
    let page = written.page.canonicalize().expect("an absolute path");
    for width in [1280, 500] {
        let output = load(&page, "", width, &["--dump-dom"]);
        let document = String::from_utf8_lossy(&output.stdout);
        let says = |name: &str| attribute(&document, name);
        assert_eq!(says("errors"), Some(0), "no script failed at a width of {width}");
        let plots = u32::try_from(written.drawn.len()).expect("a few");
        assert_eq!((says("plots"), says("plots-seen")), (Some(plots), Some(plots)), "each plot has a size");
        assert_eq!(says("overflow"), Some(0), "nothing sticks out at a width of {width}");
        assert!(
            document.contains("<th scope=\"col\"><button type=\"button\">arm</button></th>"),
            "tables can be sorted"
        );
    }
    let sorted = folder.path().join("report/sorted.html");
    let click = "<script>addEventListener('load', () => { const sort = text => [...document.querySelectorAll('th button')]\
                 .find(button => button.textContent === text).click(); sort('arm'); sort('arm'); });</script></body>";
    let html = fs::read_to_string(&page).expect("the page");
    fs::write(&sorted, html.replace("</body>", click)).expect("a copy");
    let document = String::from_utf8_lossy(&load(&sorted, "", 1280, &["--dump-dom"]).stdout).into_owned();
    let rows = document.split("aria-sort=\"descending\"").nth(1).expect("a sorted table");
    let place = |arm: &str| rows.find(&format!("<td>{arm}</td>")).expect("the arm's row");
    assert!(place("stringfuzz") < place("default"), "a second click sorts downwards");
    let shot = |theme: &str| {
        let picture = folder.path().join(format!("{theme}.png"));
        load(&page, &format!("?theme={theme}"), 1280, &[&format!("--screenshot={}", picture.display())]);
        brightness(&picture)
    };
    let (light, dark) = (shot("light"), shot("dark"));
    assert!(light.0 > 200 && dark.0 < 80, "{light:?} {dark:?}");
    assert!(light.1 > 150 && dark.1 > 150, "not blank: {light:?} {dark:?}");
}
