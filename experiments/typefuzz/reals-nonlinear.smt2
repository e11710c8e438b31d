; A circle and a hyperbola.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (<= (+ (* x x) (* y y)) 4.0))
(assert (>= (* x y) 1.0))
(assert (> (- (* x x x) y) (/ x 2.0)))
(check-sat)
