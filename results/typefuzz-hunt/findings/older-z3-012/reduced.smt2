(set-option :produce-models true)
(assert (< 0 (mod 0 0)))
(check-sat)
(get-model)
