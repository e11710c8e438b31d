; Memory: two words are written to addresses that may overlap.
(set-logic QF_ABV)
(declare-const memory (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const p (_ BitVec 8))
(declare-const q (_ BitVec 8))
(define-fun after () (Array (_ BitVec 8) (_ BitVec 8)) (store (store memory p #x0f) q (bvadd p #x01)))
(assert (= (select after p) (bvnot #xf0)))
(assert (bvult (select after q) (select memory q)))
(check-sat)
