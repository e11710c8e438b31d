(declare-fun a () (_ BitVec 117))
(assert (= (_ bv1 67) ((_ extract 95 29) (bvmul a a))))
(check-sat)
