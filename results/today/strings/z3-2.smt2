(declare-fun a () String)
(assert (> (str.to_int a) 0))
(assert (str.suffixof "a" a))
(check-sat)
