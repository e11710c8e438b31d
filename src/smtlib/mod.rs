//! SMT-LIB scripts: text ⇄ [`Script`](script::Script).

pub mod canonical;
pub mod printer;
pub mod script;
pub mod signature;
pub mod sort;
pub mod symbol;
pub mod term;
