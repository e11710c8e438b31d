; Terms that share their parts.
(set-logic QF_LIA)
(declare-const p Bool)
(declare-const x Int)
(declare-const y Int)
(assert (let ((s (+ x y)) (d (- x y))) (let ((m (ite (> d 0) x y))) (and (= (* 2 m) (+ s (ite p d (- d)))) (< m s)))))
(assert (let ((x y) (y x)) (xor p (< x (* 3 y)))))
(check-sat)
