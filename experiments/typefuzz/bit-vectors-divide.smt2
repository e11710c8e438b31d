; Signed and unsigned division agree where no sign is set.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (bvsge a #x00))
(assert (bvsgt b #x00))
(assert (not (and (= (bvsdiv a b) (bvudiv a b)) (= (bvsrem a b) (bvurem a b)))))
(check-sat)
