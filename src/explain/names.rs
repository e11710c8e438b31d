//! Names of functions as people write them.

use cpp_demangle::{DemangleOptions, Symbol};

/// A function's name without its parameters and result; a name that is not mangled stays as it is.
pub(super) fn readable(linker_name: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let name = Symbol::new(linker_name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    name.unwrap_or_else(|| linker_name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpp_names_lose_their_parameters_and_others_stay() {
        assert_eq!(readable("_ZN3smt10theory_str14init_search_ehEv"), "smt::theory_str::init_search_eh");
        assert_eq!(readable("_ZNK6vectorIiLb0EjE4sizeEv"), "vector<int, false, unsigned int>::size");
        assert_eq!(readable("main"), "main");
        assert_eq!(readable("_Znonsense"), "_Znonsense");
    }
}
