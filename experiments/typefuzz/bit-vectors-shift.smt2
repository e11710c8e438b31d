; Rotations and shifts of one word.
(set-logic QF_BV)
(declare-const w (_ BitVec 32))
(declare-const n (_ BitVec 32))
(assert (= ((_ rotate_left 7) w) (bvor (bvshl w #x00000007) (bvlshr w #x00000019))))
(assert (bvslt (bvashr w n) #x00000000))
(assert (not (= n #x00000000)))
(assert (= (bvand n (bvsub n #x00000001)) #x00000000))
(check-sat)
