; A system of inequalities with few solutions.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* 3 x) (* 5 y) (* 7 z)) 101))
(assert (and (> x 2) (> y x) (>= z (- y 1))))
(assert (not (= (mod x 3) 0)))
(check-sat)
