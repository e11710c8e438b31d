(set-option :produce-models true)
(assert (< (div 0 0) 0))
(check-sat)
(get-model)
