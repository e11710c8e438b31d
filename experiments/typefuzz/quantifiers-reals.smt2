; Between two reals there is a third.
(set-logic LRA)
(declare-const low Real)
(declare-const high Real)
(assert (< low high))
(assert (forall ((x Real) (y Real)) (=> (and (<= low x) (< x y) (<= y high)) (exists ((z Real)) (< x z y)))))
(assert (not (exists ((w Real)) (and (< low w) (< (* 2.0 w) (+ low high))))))
(check-sat)
