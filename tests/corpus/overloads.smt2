; Z3 lets a script overload functions.
(declare-fun b (Int Int) Int)
(declare-fun b (Int Real) (Array Int Real))
(declare-fun b () String)
(assert (= (select (b (b 0 0) 1.5) 0) 2.0))
(assert (= b "x"))
(check-sat)
