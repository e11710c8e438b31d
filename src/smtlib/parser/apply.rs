//! Applications: which operator or function a name stands for on its arguments, and the sort of the result.

use super::super::lexer::Token;
use super::super::signature::{Bindings, Form, Reading, SortError, SortPattern, table};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::{Head, Parts, TermId};
use super::Parser;
use super::error::{Fault, Parsed, nearest};
use super::scope::{Function, Meaning, NameId};
use super::term::push_symbol;

impl Parser<'_> {
    /// A symbol without arguments.
    pub(super) fn constant(&mut self, name: NameId, token: Token) -> Parsed<TermId> {
        match self.scope.meaning(name) {
            Meaning::Bound(sort) => return Ok(self.terms.bound(self.scope.symbol(name), sort)),
            Meaning::Constant(sort) => return Ok(self.terms.constant(self.scope.symbol(name), sort)),
            Meaning::Functions(_) => {
                let constant =
                    self.scope.overloads(name).find(|each| each.parameters.is_empty() && each.variables == 0);
                let constant = constant.and_then(|constant| constant.result.ground());
                if let Some(sort) = constant.or_else(|| self.function_sort(name)) {
                    return Ok(self.terms.constant(self.scope.symbol(name), sort));
                }
            }
            Meaning::Free => {}
        }
        for reading in self.scope.readings(name) {
            let signature = reading.op.signature();
            if signature.parameters.is_empty()
                && signature.indices.is_empty()
                && let Some(sort) = signature.result.ground()
            {
                return Ok(self.terms.apply(reading.op, &[], sort));
            }
        }
        let symbol = self.scope.symbol(name);
        if let Some(negative) = self.negative_number(symbol.as_str()) {
            return Ok(negative);
        }
        if self.is_extension(name) {
            return Ok(self.kept(name, Sort::UNKNOWN, &[]));
        }
        if self.lenient {
            return Ok(self.unknown_application(name, &[]));
        }
        Err(self.not_a_constant(name, token))
    }

    fn not_a_constant(&self, name: NameId, token: Token) -> Fault {
        let symbol = self.scope.symbol(name);
        if let Some(function) = self.scope.overloads(name).next() {
            let (found, expected) = if function.parameters.is_empty() {
                (format!("{symbol}, whose sort has parameters"), format!("(as {symbol} sort)"))
            } else {
                (format!("the function {symbol}"), format!("its {} arguments", function.parameters.len()))
            };
            return Fault::new(token.start, found, expected);
        }
        if let Some(reading) = self.scope.readings(name).first() {
            let expected = format!("arguments {}", reading.op.signature().parameters_shown());
            return Fault::new(token.start, format!("the operator {symbol} alone"), expected);
        }
        self.unknown(name, token.start)
    }

    /// The name applied to the values from `base` on.
    pub(super) fn apply(&mut self, name: NameId, base: usize, offset: u32) -> Parsed<TermId> {
        if self.values.len() == base {
            let found = format!("({}) without arguments", self.scope.symbol(name));
            return Err(Fault::new(offset, found, "arguments, or no parentheses"));
        }
        self.collect_sorts(base);
        let declared = self.scope.overloads(name).find_map(|function| result_sort(function, &self.sorts));
        if let Some(sort) = declared {
            return Ok(self.function(self.scope.symbol(name), sort, base));
        }
        for &reading in self.scope.readings(name) {
            if let Some(term) = self.operator(reading, base) {
                return Ok(term);
            }
        }
        if let Some(term) = self.apply_converted(name, base) {
            return Ok(term);
        }
        if let Some(term) = self.apply_to_functions(name, base) {
            return Ok(term);
        }
        if let Some(term) = self.apply_partly(name, base) {
            return Ok(term);
        }
        if self.is_extension(name) {
            let arguments = self.values[base..].to_vec();
            return Ok(self.kept(name, Sort::UNKNOWN, &arguments));
        }
        if self.lenient {
            let arguments = self.values[base..].to_vec();
            return Ok(self.unknown_application(name, &arguments));
        }
        Err(self.misapplied(name, &[], offset))
    }

    pub(super) fn collect_sorts(&mut self, base: usize) {
        self.sorts.clear();
        self.sorts.extend(self.values[base..].iter().map(|&value| self.terms.sort(value)));
    }

    pub(super) fn function(&mut self, name: Symbol, sort: Sort, base: usize) -> TermId {
        let arguments = &self.values[base..];
        self.terms.intern(Parts { head: Head::Function(name), sort, arguments, words: &[], binders: &[] })
    }

    /// The application of one reading of an operator's name, if it fits the collected sorts.
    #[inline]
    pub(super) fn operator(&mut self, reading: Reading, base: usize) -> Option<TermId> {
        let signature = reading.op.signature();
        let count = self.sorts.len();
        match reading.form {
            Form::Plain => {
                if let Some(sort) = signature.apply(&[], &self.sorts) {
                    return Some(self.terms.apply(reading.op, &self.values[base..], sort));
                }
                let omitted = signature.default_last.filter(|_| count + 1 == signature.parameters.len())?;
                let number = self.terms.numeral(u64::from(omitted));
                self.sorts.push(self.terms.sort(number));
                let sort = signature.apply(&[], &self.sorts);
                self.sorts.pop();
                self.values.push(number);
                let term = sort.map(|sort| self.terms.apply(reading.op, &self.values[base..], sort));
                self.values.pop();
                term
            }
            Form::Swapped if count == 2 => {
                let sort = signature.apply(&[], &[self.sorts[1], self.sorts[0]])?;
                let arguments = [self.values[base + 1], self.values[base]];
                Some(self.terms.apply(reading.op, &arguments, sort))
            }
            Form::Swapped => None,
            Form::TrailingIndices => {
                let plain = count.checked_sub(signature.indices.len())?;
                let numeral = |&value: &TermId| u32::try_from(self.terms.numeral_value(value)?).ok();
                let indices: Option<Vec<u32>> = self.values[base + plain..].iter().map(numeral).collect();
                let indices = indices?;
                let sort = signature.apply(&indices, &self.sorts[..plain])?;
                Some(self.terms.apply_indexed(reading.op, &indices, &self.values[base..base + plain], sort))
            }
        }
    }

    /// The application with integers converted to reals where that makes it fit, as solvers convert them.
    pub(super) fn apply_converted(&mut self, name: NameId, base: usize) -> Option<TermId> {
        let integers: Vec<usize> =
            (0..self.sorts.len()).filter(|&position| self.sorts[position] == Sort::INT).collect();
        // All of them first; then single ones, for `(store a 1 2)` where only the element is real.
        let single = integers.iter().map(|&position| vec![position]);
        for positions in std::iter::once(integers.clone()).chain(single.filter(|_| integers.len() > 1)) {
            for &position in &positions {
                self.sorts[position] = Sort::REAL;
            }
            let function = self.scope.overloads(name).find_map(|function| result_sort(function, &self.sorts));
            let fits = |reading: &&Reading| {
                reading.form == Form::Plain && reading.op.signature().apply(&[], &self.sorts).is_some()
            };
            let reading = self.scope.readings(name).iter().find(fits).copied();
            if positions.is_empty() || (function.is_none() && reading.is_none()) {
                self.collect_sorts(base);
                continue;
            }
            for &position in &positions {
                self.values[base + position] = self.real(self.values[base + position]);
            }
            return match function {
                Some(sort) => Some(self.function(self.scope.symbol(name), sort, base)),
                None => reading.and_then(|reading| self.operator(reading, base)),
            };
        }
        None
    }

    /// `((_ name indices…) arguments…)`, or `(_ name indices…)` if there are no values from `base` on.
    pub(super) fn apply_indexed(&mut self, name: NameId, indices: usize, base: usize, offset: u32) -> Parsed<TermId> {
        self.collect_sorts(base);
        let given = &self.indices[indices..];
        for attempt in 0..2 {
            if attempt == 1 {
                // `((_ to_fp 8 24) RNE 1)`
                self.sorts.iter_mut().filter(|sort| **sort == Sort::INT).for_each(|sort| *sort = Sort::REAL);
            }
            for reading in self.scope.readings(name).iter().filter(|reading| reading.form == Form::Plain) {
                let Some(sort) = reading.op.signature().apply(given, &self.sorts) else { continue };
                for position in 0..self.sorts.len() {
                    let value = self.values[base + position];
                    if self.terms.sort(value) != self.sorts[position] {
                        self.values[base + position] = self.real(value);
                    }
                }
                let given = &self.indices[indices..];
                return Ok(self.terms.apply_indexed(reading.op, given, &self.values[base..], sort));
            }
        }
        if self.sorts.contains(&Sort::UNKNOWN) {
            self.collect_sorts(base);
            let given = &self.indices[indices..];
            let partly = self.scope.readings(name).iter().find_map(|reading| {
                let sort = reading.op.signature().apply_partly(given, &self.sorts);
                sort.filter(|_| reading.form == Form::Plain).map(|sort| (reading.op, sort))
            });
            if let Some((op, sort)) = partly {
                return Ok(self.terms.apply_indexed(op, given, &self.values[base..], sort));
            }
        }
        if self.lenient || self.is_indexed_extension(name) {
            let mut text = String::from("(_ ");
            push_symbol(&mut text, self.scope.symbol(name).as_str());
            for index in &self.indices[indices..] {
                text.push(' ');
                text.push_str(&index.to_string());
            }
            text.push(')');
            let arguments = self.values[base..].to_vec();
            return Ok(self.verbatim(Symbol::new(&text), Sort::UNKNOWN, &arguments));
        }
        self.collect_sorts(base);
        Err(self.misapplied(name, &self.indices[indices..], offset))
    }

    /// A head that is kept as written, applied to the values from `base` on.
    pub(super) fn apply_verbatim(&mut self, text: Symbol, sort: Sort, base: usize, offset: u32) -> Parsed<TermId> {
        if self.values.len() == base {
            return Err(Fault::new(offset, format!("({text}) without arguments"), "arguments, or no parentheses"));
        }
        let mut sort = sort;
        if text.as_str().starts_with("(_ update") {
            sort = self.terms.sort(self.values[base]);
        }
        if text.as_str().starts_with("(as const ") {
            let element = sort.expression().arguments.last().copied();
            let found = self.terms.sort(self.values[base]);
            if element == Some(Sort::REAL) && found == Sort::INT {
                self.values[base] = self.real(self.values[base]);
            } else if element != Some(found) && !self.lenient && found != Sort::UNKNOWN && is_array(sort) {
                let wanted = element.map_or("an array's sort".to_owned(), |element| format!("sort {element}"));
                return Err(Fault::new(offset, format!("an array of {found}"), wanted));
            }
        }
        let arguments = self.values[base..].to_vec();
        Ok(self.verbatim(text, sort, &arguments))
    }

    /// What lenient parsing makes of an application that does not check.
    pub(super) fn unknown_application(&mut self, name: NameId, arguments: &[TermId]) -> TermId {
        let symbol = self.scope.symbol(name);
        if let Some(function) = self.scope.overloads(name).next() {
            let sort = function.result.ground().unwrap_or(Sort::UNKNOWN);
            let head = if arguments.is_empty() { Head::Constant(symbol) } else { Head::Function(symbol) };
            return self.terms.intern(Parts { head, sort, arguments, words: &[], binders: &[] });
        }
        for reading in self.scope.readings(name) {
            let signature = reading.op.signature();
            let count = signature.parameters.len();
            let takes = count == arguments.len() || (signature.associativity.is_some() && !arguments.is_empty());
            let sort = signature.result.ground().unwrap_or(Sort::UNKNOWN);
            match (reading.form, arguments) {
                _ if !signature.indices.is_empty() || !takes => {}
                (Form::Plain, _) => return self.terms.apply(reading.op, arguments, sort),
                (Form::Swapped, &[one, other]) => return self.terms.apply(reading.op, &[other, one], sort),
                _ => {}
            }
        }
        let mut text = String::new();
        push_symbol(&mut text, symbol.as_str());
        self.verbatim(Symbol::new(&text), Sort::UNKNOWN, arguments)
    }

    /// The fault for a name that neither the script nor the table knows.
    pub(super) fn unknown(&self, name: NameId, offset: u32) -> Fault {
        let symbol = self.scope.symbol(name).as_str();
        let known = self.scope.declared().chain(table().spellings());
        // Of an operator, the standard's spelling, whichever of its spellings is nearest.
        let suggestion = nearest(symbol, known).map(|known| {
            let standard = table().canonical(known).map_or(known, |op| op.name());
            format!("did you mean {standard}?")
        });
        Fault::new(offset, format!("the unknown symbol {symbol}"), "an operator or a declared symbol")
            .with_help(suggestion)
    }

    /// Where the name of the application at `offset` stands; there itself if that is not the next thing in it.
    fn name_at(&self, offset: u32) -> u32 {
        let application = &self.text[offset as usize..];
        let name = application.strip_prefix('(').map_or(application, str::trim_start);
        if name.starts_with(['(', ';']) { offset } else { offset + (application.len() - name.len()) as u32 }
    }

    /// The fault for a name that does not take the collected sorts.
    fn misapplied(&self, name: NameId, indices: &[u32], offset: u32) -> Fault {
        let symbol = self.scope.symbol(name);
        let functions: Vec<&Function> = self.scope.overloads(name).collect();
        let is_constant = matches!(self.scope.meaning(name), Meaning::Bound(_) | Meaning::Constant(_));
        if functions.is_empty() && self.scope.readings(name).is_empty() && !is_constant {
            return self.unknown(name, self.name_at(offset));
        }
        let error = table().mismatch(symbol.as_str(), indices, &self.sorts);
        let (found, mut expected) = match error {
            SortError::Arguments { found, expected, .. } => (found, expected),
            other => (other.to_string(), Vec::new()),
        };
        if let Meaning::Bound(sort) | Meaning::Constant(sort) = self.scope.meaning(name) {
            let parameters = match sort.expression().arguments.split_last() {
                Some((_, parameters)) if is_array(sort) || sort.is_function() => {
                    let shown: Vec<String> = parameters.iter().map(ToString::to_string).collect();
                    let kind = if is_array(sort) { "an array" } else { "a function" };
                    format!("({}): {symbol} is {kind}", shown.join(" "))
                }
                _ => format!("no arguments: {symbol} is a constant"),
            };
            return Fault::new(offset, format!("{symbol} applied to ({found})"), parameters);
        }
        let shown = |function: &&Function| {
            let sorts: Vec<String> = function.parameters.iter().map(shown_pattern).collect();
            format!("({})", sorts.join(" "))
        };
        expected.splice(0..0, functions.iter().map(shown));
        Fault::new(offset, format!("{symbol} applied to ({found})"), expected.join(" or "))
    }
}

pub(super) fn is_array(sort: Sort) -> bool {
    sort.expression().name.as_str() == "Array"
}

fn shown_pattern(pattern: &SortPattern) -> String {
    match pattern {
        SortPattern::Sort(sort) => sort.to_string(),
        SortPattern::Variable(variable) => format!("T{variable}"),
        SortPattern::Application { name, arguments, .. } => {
            let arguments: Vec<String> = arguments.iter().map(shown_pattern).collect();
            format!("({name} {})", arguments.join(" "))
        }
    }
}

/// The sort of a declared function's result on arguments of these sorts, if they fit.
pub(super) fn result_sort(function: &Function, sorts: &[Sort]) -> Option<Sort> {
    if function.parameters.len() != sorts.len() {
        return None;
    }
    let mut bindings = Bindings::default();
    let fits = function.parameters.iter().zip(sorts).all(|(parameter, &sort)| parameter.unify(sort, &mut bindings));
    if fits { function.result.instantiate(&bindings) } else { None }
}
