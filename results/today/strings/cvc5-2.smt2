(declare-fun a () Int)
(assert (str.suffixof "a" (str.++ (str.from_int 0) (str.from_int a))))
(check-sat)
