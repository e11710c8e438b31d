; Integers among reals.
(set-logic QF_LIRA)
(declare-const i Int)
(declare-const r Real)
(assert (< (to_real i) r (+ (to_real i) 1.0)))
(assert (not (is_int r)))
(assert (= (to_int (* 2.0 r)) (+ (* 2 i) 1)))
(check-sat)
