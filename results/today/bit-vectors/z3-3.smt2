(declare-fun a () (_ BitVec 117))
(assert (= #b0100010000110000 ((_ extract 88 73) (bvsrem a a))))
(check-sat)
