//! SMT-LIB scripts: text ⇄ [`Script`](script::Script).

pub mod annotation;
mod bit_vector;
pub mod canonical;
pub mod dialect;
pub mod expression;
pub mod fragment;
pub mod lexer;
pub mod literal;
pub mod operator_set;
pub mod parser;
pub mod printer;
pub mod script;
pub mod signature;
pub mod sort;
pub mod symbol;
pub mod term;
pub mod traversal;
mod variable_set;
