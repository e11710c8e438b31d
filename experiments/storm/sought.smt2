; Z3 4.8.10 does not find a word of a longer one from a start that depends on the length.
(set-logic QF_SLIA)
(declare-fun s () String)
(declare-fun n () Int)
(assert (or (= n 1) (str.contains s "a needle in here")))
(assert (or (= n 0) (= (str.len s) n)))
(assert (or (= n 2) (not (= (str.indexof s "needle" (- (+ n n) 31)) (- 1)))))
(assert (> n 3))
(check-sat)
