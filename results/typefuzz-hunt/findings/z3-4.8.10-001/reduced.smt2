(declare-fun a () (_ FloatingPoint 5 11))
(assert (fp.isNaN a))
(check-sat)
