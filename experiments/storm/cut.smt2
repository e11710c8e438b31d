; CVC4 1.8 takes a cut of a literal for something that is never empty.
(set-logic QF_SLIA)
(declare-fun n () Int)
(declare-fun s () String)
(assert (or (= s "left") (= "-" (str.++ (str.substr "k" 0 n) "-" (str.substr "k" 0 n)))))
(assert (not (and (< n 3) (str.suffixof "right" s))))
(check-sat)
