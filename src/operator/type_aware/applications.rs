//! What makes a term of a sort: the operators of the table at the sorts of a seed, and the seed's own functions.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::expressions::Expressions;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::Head;

/// An operator or function at ground sorts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Application {
    /// What stands at the head.
    pub(super) head: Head,
    /// The index vectors that it may have: one empty vector if it takes no indices.
    pub(super) indices: Vec<Vec<u32>>,
    /// The sorts of the arguments, in the number in which the signature is written.
    pub(super) parameters: Vec<Sort>,
    /// The sort of a further argument, where the operator takes any number of them to the same result.
    pub(super) further: Option<Sort>,
}

/// All ways to make a term of one sort: for each operator, its instances.
pub(super) type Ways = Rc<[Vec<Application>]>;

/// The operators by the sort that they make, found when they are first asked for.
#[derive(Clone, Debug)]
pub(super) struct Applications<'a> {
    /// The operators that are made; all if `None`, and the functions of the seed only then.
    only: Option<&'a OperatorSet>,
    functions: Vec<(Application, Sort)>,
    of_sort: FxHashMap<Sort, Ways>,
}

impl<'a> Applications<'a> {
    /// Those of a seed, with its functions: declared ones, and whatever is applied in the assertions (constructors,
    /// selectors and testers of datatypes among them).
    pub(super) fn of(script: &Script, only: Option<&'a OperatorSet>) -> Self {
        let mut functions: Vec<(Application, Sort)> = Vec::new();
        let mut add = |head: Head, parameters: Vec<Sort>, sort: Sort| {
            let known = |(each, result): &(Application, Sort)| {
                each.head == head && each.parameters == parameters && *result == sort
            };
            let is_sorted = sort != Sort::UNKNOWN && !parameters.contains(&Sort::UNKNOWN);
            if is_sorted && !parameters.is_empty() && !functions.iter().any(known) {
                functions.push((Application { head, indices: vec![Vec::new()], parameters, further: None }, sort));
            }
        };
        for command in &script.commands {
            match command {
                Command::Declare(each) => add(Head::Function(each.name), each.parameters.clone(), each.sort),
                Command::Define(each) => {
                    add(Head::Function(each.name), each.parameters.iter().map(|it| it.1).collect(), each.sort);
                }
                _ => {}
            }
        }
        for term in script.terms.subterms(script.assertions()) {
            let parts = script.terms.parts(term);
            if matches!(parts.head, Head::Function(_) | Head::Verbatim(_)) && takes_any_term(parts.head) {
                add(parts.head, parts.arguments.iter().map(|&it| script.terms.sort(it)).collect(), parts.sort);
            }
        }
        Applications { only, functions, of_sort: FxHashMap::default() }
    }

    /// The ways to make a term of `sort` from expressions of the seed with what `fragment` admits. An operator of which
    /// some argument's sort no expression has is none: drawing it could only fail.
    pub(super) fn making(&mut self, sort: Sort, expressions: &Expressions, fragment: &Fragment) -> Ways {
        if let Some(known) = self.of_sort.get(&sort) {
            return known.clone();
        }
        let mut ways: Vec<Vec<Application>> = Vec::new();
        let mut add = |application: Application| {
            if !application.parameters.iter().all(|&it| expressions.has(it)) {
                return;
            }
            match ways.last_mut() {
                Some(same) if same[0].head == application.head => same.push(application),
                _ => ways.push(vec![application]),
            }
        };
        for instance in table().instances(sort, expressions.sorts()) {
            // Values are no replacements: the paper's operators take arguments.
            let is_wanted = self.only.is_none_or(|only| only.contains(instance.op));
            if is_wanted && !instance.parameters.is_empty() && fragment.operators.contains(instance.op) {
                let further = instance.further();
                let head = Head::Operator(instance.op);
                add(Application { head, indices: instance.indices, parameters: instance.parameters, further });
            }
        }
        if fragment.functions && self.only.is_none() {
            self.functions.iter().filter(|(_, result)| *result == sort).for_each(|(each, _)| add(each.clone()));
        }
        let ways: Ways = ways.into();
        self.of_sort.insert(sort, ways.clone());
        ways
    }
}

/// Whether any term of the sort may be an argument. Not so for constant arrays, whose element must be a value.
pub(super) fn takes_any_term(head: Head) -> bool {
    !matches!(head, Head::Verbatim(name) if name.as_str().starts_with("(as const"))
}
