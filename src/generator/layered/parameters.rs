//! What shapes a layered formula: the parameters of FuzzSMT 0.2, with its defaults.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::generator::InvalidParameters;
use crate::random::{FuzzRng, between};

/// What becomes of divisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Division {
    /// There are none.
    None,
    /// Each divisor is asserted not to be 0, and that of a signed division not to be −1 either, so that nothing depends
    /// on what a solver makes of a division by 0.
    #[default]
    Guarded,
    /// Anything may be a divisor.
    Free,
}

/// How the predicates of a formula are connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Structure {
    /// By random connectives, until one formula is left.
    #[default]
    Random,
    /// All of them hold.
    And,
    /// One of them holds.
    Or,
    /// As clauses of random literals (`--clauses`).
    Cnf,
}

/// The parameters of a layered formula. Each pair is the least and the most of a uniform draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Parameters {
    /// The fewest variables of a kind
    #[arg(long, visible_alias = "mv", value_name = "N", default_value_t = 1)]
    pub min_variables: u32,
    /// The most variables of a kind
    #[arg(long, visible_alias = "Mv", value_name = "N", default_value_t = 5)]
    pub max_variables: u32,
    /// The fewest constants of a kind
    #[arg(long, visible_alias = "mc", value_name = "N", default_value_t = 1)]
    pub min_constants: u32,
    /// The most constants of a kind
    #[arg(long, visible_alias = "Mc", value_name = "N", default_value_t = 2)]
    pub max_constants: u32,
    /// The smallest width of an input in bits
    #[arg(long, visible_alias = "mbw", value_name = "BITS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub min_width: u32,
    /// The largest width of any term in bits; constants of other sorts have as many bits at most
    #[arg(long, visible_alias = "Mbw", value_name = "BITS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub max_width: u32,
    /// How often each term is used in the next layer at least
    #[arg(long, visible_alias = "ref", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub references: u32,
    /// The fewest array variables
    #[arg(long, visible_alias = "mar", value_name = "N", default_value_t = 1)]
    pub min_arrays: u32,
    /// The most array variables
    #[arg(long, visible_alias = "Mar", value_name = "N", default_value_t = 3)]
    pub max_arrays: u32,
    /// The fewest reads
    #[arg(long, visible_alias = "mr", value_name = "N", default_value_t = 1)]
    pub min_reads: u32,
    /// The most reads
    #[arg(long, visible_alias = "Mr", value_name = "N", default_value_t = 5)]
    pub max_reads: u32,
    /// The fewest writes
    #[arg(long, visible_alias = "mw", value_name = "N", default_value_t = 0)]
    pub min_writes: u32,
    /// The most writes
    #[arg(long, visible_alias = "Mw", value_name = "N", default_value_t = 5)]
    pub max_writes: u32,
    /// The fewest equalities of arrays (extensional arrays): half of them are used as bits
    #[arg(long, visible_alias = "mxn", value_name = "N", default_value_t = 0)]
    pub min_array_equalities: u32,
    /// The most equalities of arrays
    #[arg(long, visible_alias = "Mxn", value_name = "N", default_value_t = 0)]
    pub max_array_equalities: u32,
    /// The fewest functions [default: 1 in logics of functions without arrays, else 0]
    #[arg(long, visible_alias = "mf", value_name = "N")]
    pub min_functions: Option<u32>,
    /// The most functions [default: 1 in logics of functions without arrays, else 0]
    #[arg(long, visible_alias = "Mf", value_name = "N")]
    pub max_functions: Option<u32>,
    /// The fewest predicates that are declared [default: 1 in logics of functions without arrays, else 0]
    #[arg(long, visible_alias = "mp", value_name = "N")]
    pub min_predicates: Option<u32>,
    /// The most predicates that are declared [default: 1 in logics of functions without arrays, else 0]
    #[arg(long, visible_alias = "Mp", value_name = "N")]
    pub max_predicates: Option<u32>,
    /// The fewest arguments of functions and predicates
    #[arg(long, visible_alias = "ma", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub min_arguments: u32,
    /// The most arguments of functions and predicates
    #[arg(long, visible_alias = "Ma", value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub max_arguments: u32,
    /// Divisions: none (FuzzSMT's -n), guarded, or free (-g)
    #[arg(long, value_enum, default_value_t)]
    pub division: Division,
    /// Use the predicates of SMT-LIB 2.7 that tell whether a bit-vector operation overflows
    #[arg(long)]
    pub overflows: bool,
    /// Draw every second operand from terms that nothing uses yet, which keeps formulas small; FuzzSMT does so with arrays
    /// only, and so is done here without this
    #[arg(long)]
    pub compact: bool,
    /// How the predicates are connected
    #[arg(long = "boolean", visible_alias = "bool", value_enum, default_value_t)]
    pub structure: Structure,
    /// The clauses of `--boolean cnf`, in times the number of predicates
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub clauses: f64,
    /// How many assertions the formula is split into at most: FuzzSMT's have one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_assertions: u32,
    /// The most symbols of an assertion that repeats what occurs in it several times; a larger one names that by `let`
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub written_out: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            min_variables: 1,
            max_variables: 5,
            min_constants: 1,
            max_constants: 2,
            min_width: 1,
            max_width: 16,
            references: 1,
            min_arrays: 1,
            max_arrays: 3,
            min_reads: 1,
            max_reads: 5,
            min_writes: 0,
            max_writes: 5,
            min_array_equalities: 0,
            max_array_equalities: 0,
            min_functions: None,
            max_functions: None,
            min_predicates: None,
            max_predicates: None,
            min_arguments: 1,
            max_arguments: 3,
            division: Division::Guarded,
            overflows: false,
            compact: false,
            structure: Structure::Random,
            clauses: 1.0,
            max_assertions: 1,
            written_out: 400,
        }
    }
}

impl Parameters {
    /// Formulas that a search starts from: a few small assertions, for crossover to exchange and selection to compare.
    pub fn small() -> Self {
        Parameters {
            max_variables: 3,
            max_reads: 2,
            max_writes: 2,
            max_arrays: 2,
            division: Division::Free,
            compact: true,
            max_assertions: 5,
            ..Parameters::default()
        }
    }

    /// Checks that no draw is empty.
    ///
    /// # Errors
    /// The first pair whose least is larger than its most.
    pub fn check(&self) -> Result<(), InvalidParameters> {
        let Parameters { min_functions, max_functions, min_predicates, max_predicates, .. } = *self;
        let open = |bound: Option<u32>, other: u32| bound.unwrap_or(other);
        let pairs = [
            ("variables", self.min_variables, self.max_variables),
            ("constants", self.min_constants, self.max_constants),
            ("width", self.min_width, self.max_width),
            ("arrays", self.min_arrays, self.max_arrays),
            ("reads", self.min_reads, self.max_reads),
            ("writes", self.min_writes, self.max_writes),
            ("array-equalities", self.min_array_equalities, self.max_array_equalities),
            ("functions", open(min_functions, 0), open(max_functions, u32::MAX)),
            ("predicates", open(min_predicates, 0), open(max_predicates, u32::MAX)),
            ("arguments", self.min_arguments, self.max_arguments),
        ];
        for (name, least, most) in pairs {
            InvalidParameters::unless(least <= most, || {
                format!("--min-{name} is {least} and --max-{name} {most}: give both, the smaller one first")
            })?;
        }
        Ok(())
    }

    pub(super) fn draw_variables(&self, rng: &mut FuzzRng) -> u32 {
        between(rng, self.min_variables, self.max_variables)
    }

    pub(super) fn draw_constants(&self, rng: &mut FuzzRng) -> u32 {
        between(rng, self.min_constants, self.max_constants)
    }

    pub(super) fn draw_width(&self, rng: &mut FuzzRng) -> u32 {
        between(rng, self.min_width, self.max_width)
    }
}
