(declare-fun a () String)
(declare-fun b () String)
(assert (str.<= (str.++ b b) (str.++ a b)))
(check-sat)
