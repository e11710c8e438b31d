(set-option :produce-models true)
(assert (= (str.at "" (div 0 0)) ""))
(check-sat)
(get-model)
