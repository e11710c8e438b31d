; Positions and replacements.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (str.indexof s "fuzz" 1)))
(assert (str.prefixof "type" s))
(assert (not (str.contains (str.replace s "fuzz" "") "fu")))
(assert (= (str.at s (+ n 4)) (str.substr s 0 1)))
(check-sat)
