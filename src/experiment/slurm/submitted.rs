//! What was submitted, in words.

use std::fmt;

use super::Submitted;

impl fmt::Display for Submitted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Submitted { array, tables, queued, elsewhere } = self;
        let lines = [
            Some(
                array
                    .map_or("no run to submit".to_owned(), |(job, runs)| format!("submitted {runs} runs as job {job}")),
            ),
            tables.map(|job| format!("submitted the tables as job {job}")),
            (*queued > 0).then(|| format!("{queued} runs are in the queue already")),
            (*elsewhere > 0)
                .then(|| format!("{elsewhere} runs are left out: processes outside of the queue work on them")),
        ];
        lines.into_iter().flatten().try_for_each(|line| writeln!(out, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_submitted_is_said() {
        let all = Submitted { array: Some((12, 3)), tables: Some(13), queued: 2, elsewhere: 1 };
        insta::assert_snapshot!(all, @r"
        submitted 3 runs as job 12
        submitted the tables as job 13
        2 runs are in the queue already
        1 runs are left out: processes outside of the queue work on them
        ");
        assert_eq!(Submitted::default().to_string(), "no run to submit\n");
    }
}
