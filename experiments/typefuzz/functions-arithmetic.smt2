; A function that grows, and an index below another.
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const i Int)
(declare-const j Int)
(assert (< (f i) (f (+ i 1)) (f (+ i 2))))
(assert (<= (+ i 1) j (+ i 2)))
(assert (> (f i) (f j)))
(check-sat)
