; Extensions and concatenations of bytes.
(set-logic QF_BV)
(declare-const h (_ BitVec 8))
(declare-const l (_ BitVec 8))
(define-fun word () (_ BitVec 16) (concat h l))
(assert (= ((_ sign_extend 8) l) (bvxor word ((_ zero_extend 8) #xff))))
(assert (bvule h ((_ repeat 2) #b1010)))
(assert (= (bvcomp h l) #b0))
(check-sat)
