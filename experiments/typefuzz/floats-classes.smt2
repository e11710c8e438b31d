; What is neither normal nor zero.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 3 5))
(declare-const y (_ FloatingPoint 3 5))
(assert (or (fp.isInfinite x) (fp.isNaN x) (fp.isSubnormal x)))
(assert (fp.eq (fp.abs x) (fp.neg y)))
(assert (= y (fp.roundToIntegral RTZ (fp.max x y))))
(check-sat)
