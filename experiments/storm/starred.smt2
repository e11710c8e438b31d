; CVC4 1.8 takes no repetition of a star for the star. It takes two formulas to see that of a variable.
(set-logic QF_SLIA)
(declare-fun s () String)
(declare-fun n () Int)
(assert (or (= n 5) (= s "abab") (= (str.len s) 3)))
(assert (or (= n 6) (not (str.in_re s ((_ re.^ 0) (re.* (str.to_re "ab")))))))
(assert (or (< n 9) (str.prefixof "ab" s)))
(check-sat)
