(declare-fun a () (_ BitVec 67))
(declare-fun b () (_ BitVec 67))
(assert (= (bvadd (bvsrem a b) b) (_ bv0 67)))
(check-sat)
