(declare-fun a () (_ BitVec 117))
(assert (bvusubo #b000 ((_ extract 17 15) (bvurem a a))))
(check-sat)
