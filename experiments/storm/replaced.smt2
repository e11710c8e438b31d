; Z3 4.8.10 takes the second disjunct for false.
(set-logic QF_SLIA)
(declare-fun s () String)
(declare-fun n () Int)
(assert (or (= n 7) (= "qqqq" (str.replace_all "qq" "q" "qq"))))
(assert (not (and (= (str.len s) n) (str.prefixof "zz" s))))
(assert (or (str.contains s "z") (< n 12)))
(check-sat)
