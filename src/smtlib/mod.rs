//! SMT-LIB scripts: text ⇄ [`Script`](script::Script).

pub mod printer;
pub mod sort;
pub mod symbol;
