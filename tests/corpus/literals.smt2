; Quotes, backslashes, controls and code points.
(set-info :smt-lib-version 2.6)
(declare-const x String)
(assert (= x ""))
(assert (= x """"))
(assert (= x "a""b"))
(assert (= x "\u{0}\u{1f}\u{7f}\u{ff}\u00e9"))
(assert (= x "\x41\n\\\u\u{}\u41"))
(assert (= x "\"))
(assert (= x "; no comment ( | "))
(assert (= x "two
lines	and a tab"))
(check-sat)
