; A sum of two squares.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* x x) (* y y)) 65))
(assert (< 0 x y))
(assert (> (* x y) (abs (- x y))))
(check-sat)
