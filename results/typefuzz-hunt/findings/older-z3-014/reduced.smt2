(set-option :produce-models true)
(assert (= 1.0 (to_real (div 0 0))))
(check-sat)
(get-model)
