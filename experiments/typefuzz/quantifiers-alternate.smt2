; For each number there is a larger one that is even.
(set-logic LIA)
(declare-const k Int)
(assert (forall ((x Int)) (=> (> x k) (exists ((y Int)) (and (> y x) (= y (* 2 (- x k))))))))
(assert (not (exists ((z Int)) (and (< z k) (> (* 2 z) k)))))
(check-sat)
