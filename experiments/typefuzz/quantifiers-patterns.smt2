; A function that is monotonic wherever it is applied.
(set-logic UFLIA)
(declare-fun f (Int) Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (y Int)) (! (=> (<= x y) (<= (f x) (f y))) :pattern ((f x) (f y)))))
(assert (forall ((x Int)) (! (= (p x) (> (f x) x)) :pattern ((p x)))))
(assert (and (p 3) (not (p 5)) (= (f 4) 4)))
(check-sat)
