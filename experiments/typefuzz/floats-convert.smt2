; A number that survives the way to bits and back.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 8))
(declare-const x (_ FloatingPoint 4 4))
(assert (= x ((_ to_fp 4 4) RNE b)))
(assert (not (= ((_ fp.to_ubv 8) RNE x) b)))
(assert (fp.leq x ((_ to_fp 4 4) #x6f)))
(check-sat)
