//! Fewer letters, in all string literals at once: literals that must match one another can only be shrunk together.

use super::edit::{Draft, Edit};
use super::search::{Search, Stop};
use super::terms::levels;
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, LiteralKind, TermId};

/// How many different letters are tried, the most frequent first: each costs a candidate or two.
const MOST_LETTERS: usize = 64;

impl Search<'_> {
    /// Drops letters from all literals, as many letters at once as keep the property. Returns whether any was dropped.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn drop_letters(&mut self) -> Result<bool, Stop> {
        let before = self.size();
        let (draft, literals, letters) = self.lettered();
        if literals.len() < 2 {
            // One literal alone is shrunk as it is.
            return Ok(false);
        }
        self.without(&draft, &literals, &mut Vec::new(), &letters)?;
        Ok(self.size() < before)
    }

    /// A draft of the best script, its string literals, and their letters, the most frequent first.
    fn lettered(&self) -> (Draft, Vec<TermId>, Vec<u32>) {
        let draft = Draft::new(self.best());
        let terms = &draft.script.terms;
        let is_text = |&term: &TermId| terms.head(term) == Head::Literal(LiteralKind::String);
        let literals: Vec<TermId> = levels(&draft.script).concat().into_iter().filter(is_text).collect();
        let mut counted: Vec<(usize, u32)> = Vec::new();
        for &letter in literals.iter().flat_map(|&literal| terms.text(literal)) {
            match counted.iter_mut().find(|(_, known)| *known == letter) {
                Some((count, _)) => *count += 1,
                None => counted.push((1, letter)),
            }
        }
        counted.sort_unstable_by_key(|&(count, letter)| (std::cmp::Reverse(count), letter));
        counted.truncate(MOST_LETTERS);
        let letters = counted.into_iter().map(|(_, letter)| letter).collect();
        (draft, literals, letters)
    }

    /// Drops as many of `letters` as can go, on top of those that are `gone`: all, or what can go of either half.
    fn without(
        &mut self,
        draft: &Draft,
        literals: &[TermId],
        gone: &mut Vec<u32>,
        letters: &[u32],
    ) -> Result<(), Stop> {
        if letters.is_empty() {
            return Ok(());
        }
        let all = [gone, letters].concat();
        if self.attempt(rewritten(draft, literals, &all))? {
            gone.extend_from_slice(letters);
            return Ok(());
        }
        if letters.len() > 1 {
            let (left, right) = letters.split_at(letters.len() / 2);
            self.without(draft, literals, gone, left)?;
            self.without(draft, literals, gone, right)?;
        }
        Ok(())
    }
}

/// The script without the letters that are `gone`.
fn rewritten(draft: &Draft, literals: &[TermId], gone: &[u32]) -> Script {
    let mut draft = draft.clone();
    let mut edits = Vec::new();
    for &literal in literals {
        let text = draft.script.terms.text(literal);
        let kept: Vec<u32> = text.iter().copied().filter(|letter| !gone.contains(letter)).collect();
        if kept.len() < text.len() {
            edits.push(Edit::Replace(literal, draft.script.terms.string(&kept)));
        }
    }
    draft.with(&edits)
}
