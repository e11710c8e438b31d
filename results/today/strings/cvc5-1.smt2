(declare-fun a () Int)
(assert (str.suffixof "a" (str.++ "0" (str.from_int a))))
(check-sat)
