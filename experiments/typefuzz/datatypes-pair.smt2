; A pair with a parameter for each part.
(set-logic ALL)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (first A) (second B))))))
(declare-const p (Pair Int Bool))
(declare-const q (Pair Int Bool))
(assert (ite (second p) (> (first p) 3) (< (first p) (- 3))))
(assert (= q (pair (* 2 (first p)) (not (second p)))))
(assert (= (first q) (+ (first p) 4)))
(check-sat)
