(set-option :produce-models true)
(assert (= (mod 0 0) 0))
(check-sat)
(get-model)
