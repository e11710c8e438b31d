(declare-fun a () (_ FloatingPoint 5 11))
(declare-fun b () RoundingMode)
(assert (= (fp.fma b a a a) a))
(check-sat)
