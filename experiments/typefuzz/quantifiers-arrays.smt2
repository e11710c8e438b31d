; A sorted array with two elements in the wrong order.
(set-logic AUFLIA)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (< i j) (< j n)) (<= (select a i) (select a j)))))
(assert (exists ((k Int)) (and (< 0 k n) (< (select a k) (select a (- k 1))))))
(check-sat)
