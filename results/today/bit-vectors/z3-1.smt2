(declare-fun a () (_ BitVec 235))
(assert (= (bvudiv (_ bv0 235) a) (_ bv0 235)))
(check-sat)
