; A word equation with a length.
(set-logic QF_SLIA)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "ab" y) (str.++ y "ba" x)))
(assert (> (str.len x) (str.len y) 0))
(check-sat)
