; Each byte has an inverse under addition.
(set-logic BV)
(declare-const m (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvadd x y) m))))
(assert (forall ((x (_ BitVec 4))) (or (bvule (bvand x m) m) (= x (bvneg m)))))
(check-sat)
