(declare-fun a () String)
(assert (> (str.to_int a) 0))
(assert (str.contains a "a"))
(check-sat)
