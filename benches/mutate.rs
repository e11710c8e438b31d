//! How fast scripts are mutated.
fn main() {
    divan::main();
}
