//! Sorts: a [`Sort`] is a copyable handle on an interned sort expression such as `Int` or `(Array Int (_ BitVec 8))`.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

use super::symbol::Symbol;

/// A sort. Equal sort expressions are the same handle, so comparing sorts is comparing integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(u32);

/// What a [`Sort`] stands for: a name, its numeral indices, and its argument sorts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortExpression {
    /// The sort's name: `Int`, `Array`, `BitVec`, or a declared one.
    pub name: Symbol,
    /// Numeral indices: `[8]` for `(_ BitVec 8)`.
    pub indices: Vec<u32>,
    /// Argument sorts: `[Int, Bool]` for `(Array Int Bool)`.
    pub arguments: Vec<Sort>,
}

/// The process-wide table of sorts, in order of interning.
struct Interned {
    expressions: Vec<&'static SortExpression>,
    /// How many names each sort has, written out.
    sizes: Vec<u32>,
    handles: HashMap<&'static SortExpression, Sort>,
}

/// The names of the sorts that have a constant handle, in the order of those handles.
const BUILT_IN: [&str; 6] = ["Bool", "Int", "Real", "String", "RegLan", "?"];

/// The name of the sorts of functions, as SMT-LIB 2.7 has it.
const FUNCTION: &str = "->";

static INTERNED: LazyLock<RwLock<Interned>> = LazyLock::new(|| {
    let mut interned = Interned { expressions: Vec::new(), sizes: Vec::new(), handles: HashMap::new() };
    for name in BUILT_IN {
        interned.intern(SortExpression { name: Symbol::new(name), indices: vec![], arguments: vec![] });
    }
    RwLock::new(interned)
});

impl Interned {
    fn intern(&mut self, expression: SortExpression) -> Sort {
        if let Some(&sort) = self.handles.get(&expression) {
            return sort;
        }
        let sort = Sort(u32::try_from(self.expressions.len()).unwrap_or(u32::MAX));
        let size = |argument: &Sort| self.sizes[argument.0 as usize];
        self.sizes.push(expression.arguments.iter().map(size).fold(1, u32::saturating_add));
        let leaked: &'static SortExpression = Box::leak(Box::new(expression));
        self.expressions.push(leaked);
        self.handles.insert(leaked, sort);
        sort
    }
}

impl Sort {
    /// The Booleans.
    pub const BOOL: Sort = Sort(0);
    /// The integers.
    pub const INT: Sort = Sort(1);
    /// The reals.
    pub const REAL: Sort = Sort(2);
    /// Strings of code points 0 to 0x2FFFF.
    pub const STRING: Sort = Sort(3);
    /// Regular languages (`RegLan`; spelled `(RegEx String)` by Z3).
    pub const REGLAN: Sort = Sort(4);
    /// The sort of a term that the sort checker could not type: of a solver's own operator that the table does not know.
    pub const UNKNOWN: Sort = Sort(5);

    /// The sort `name` without indices and arguments.
    pub fn named(name: Symbol) -> Sort {
        Sort::new(name, &[], &[])
    }

    /// The sort with this name, these numeral indices and these arguments. `(-> A (-> B C))` is the sort `(-> A B C)`.
    pub fn new(name: Symbol, indices: &[u32], arguments: &[Sort]) -> Sort {
        let mut expression = SortExpression { name, indices: indices.to_vec(), arguments: arguments.to_vec() };
        if name.as_str() == FUNCTION
            && let Some(result) = expression.arguments.pop_if(|result| result.is_function())
        {
            expression.arguments.extend_from_slice(&result.expression().arguments);
        }
        let found = {
            let interned = INTERNED.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            interned.handles.get(&expression).copied()
        };
        found.unwrap_or_else(|| INTERNED.write().unwrap_or_else(std::sync::PoisonError::into_inner).intern(expression))
    }

    /// `(_ BitVec width)`.
    pub fn bit_vec(width: u32) -> Sort {
        Sort::new(Symbol::new("BitVec"), &[width], &[])
    }

    /// The width of a sort of bit-vectors; `None` of any other.
    pub fn width(self) -> Option<u32> {
        let expression = self.expression();
        match expression.indices[..] {
            [width] if expression.name.as_str() == "BitVec" => Some(width),
            _ => None,
        }
    }

    /// `(Array index element)`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::new(Symbol::new("Array"), &[], &[index, element])
    }

    /// `(-> parameters… result)`: the sort of a function, where one is given as an argument.
    pub fn function(parameters: &[Sort], result: Sort) -> Sort {
        let mut arguments = parameters.to_vec();
        arguments.push(result);
        Sort::new(Symbol::new(FUNCTION), &[], &arguments)
    }

    /// Whether this is the sort of functions from some sorts to another.
    pub fn is_function(self) -> bool {
        self.built_in_name().is_none() && self.expression().name.as_str() == FUNCTION
    }

    /// The sort of a function's application to arguments of these sorts, which may be fewer than it takes.
    pub fn applied_to(self, arguments: &[Sort]) -> Option<Sort> {
        let (result, parameters) = self.expression().arguments.split_last().filter(|_| self.is_function())?;
        match parameters.strip_prefix(arguments)? {
            [] => Some(*result),
            rest => Some(Sort::function(rest, *result)),
        }
    }

    /// The array sort that Z3 takes a function's sort for: `(Array Int Bool)` for `(-> Int Bool)`.
    pub fn function_as_array(self) -> Option<Sort> {
        self.is_function().then(|| Sort::new(Symbol::new("Array"), &[], &self.expression().arguments))
    }

    /// The sort without its indices, and without those of its arguments: `BitVec` for bit-vectors of any width.
    #[must_use]
    pub fn without_indices(self) -> Sort {
        if self.built_in_name().is_some() {
            return self;
        }
        let SortExpression { name, arguments, .. } = self.expression();
        let arguments: Vec<Sort> = arguments.iter().map(|argument| argument.without_indices()).collect();
        Sort::new(*name, &[], &arguments)
    }

    /// How many names the sort has when it is written out: definitions can make it grow exponentially.
    pub fn size(self) -> u32 {
        INTERNED.read().unwrap_or_else(std::sync::PoisonError::into_inner).sizes[self.0 as usize]
    }

    /// The name of a built-in sort.
    pub(super) fn built_in_name(self) -> Option<&'static str> {
        BUILT_IN.get(self.0 as usize).copied()
    }

    /// What this sort stands for.
    pub fn expression(self) -> &'static SortExpression {
        INTERNED.read().unwrap_or_else(std::sync::PoisonError::into_inner).expressions[self.0 as usize]
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = BUILT_IN.get(self.0 as usize) {
            return f.write_str(name);
        }
        let SortExpression { name, indices, arguments } = self.expression();
        if !arguments.is_empty() {
            f.write_str("(")?;
        }
        if indices.is_empty() {
            super::printer::write_symbol(f, name.as_str())?;
        } else {
            f.write_str("(_ ")?;
            super::printer::write_symbol(f, name.as_str())?;
            for index in indices {
                write!(f, " {index}")?;
            }
            f.write_str(")")?;
        }
        for argument in arguments {
            write!(f, " {argument}")?;
        }
        if !arguments.is_empty() {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_handles_name_the_built_in_sorts() {
        assert_eq!(Sort::named(Symbol::new("String")), Sort::STRING);
        assert_eq!(Sort::named(Symbol::new("RegLan")), Sort::REGLAN);
    }

    #[test]
    fn compound_sorts_print_in_smt_lib_syntax() {
        let sort = Sort::array(Sort::INT, Sort::bit_vec(8));
        assert_eq!(sort.to_string(), "(Array Int (_ BitVec 8))");
        assert_eq!(sort.size(), 3);
    }

    #[test]
    fn functions_of_functions_are_functions_of_more_parameters() {
        let inner = Sort::function(&[Sort::INT], Sort::BOOL);
        let sort = Sort::function(&[Sort::REAL], inner);
        assert_eq!(sort.to_string(), "(-> Real Int Bool)");
        assert_eq!(sort.applied_to(&[Sort::REAL]), Some(inner));
        assert_eq!(sort.applied_to(&[Sort::REAL, Sort::INT]), Some(Sort::BOOL));
        assert_eq!(sort.applied_to(&[Sort::INT]), None);
        assert_eq!(inner.function_as_array(), Some(Sort::array(Sort::INT, Sort::BOOL)));
    }
}
