; An odd product that overflows.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (= (bvmul x y) #x0001))
(assert (bvugt x #x0001))
(assert (= ((_ extract 15 8) x) ((_ extract 7 0) y)))
(check-sat)
