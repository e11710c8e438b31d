(declare-fun a () (_ FloatingPoint 4 4))
(assert (= a ((_ to_fp 4 4) #x6f)))
(check-sat)
