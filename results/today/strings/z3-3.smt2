(declare-fun a () String)
(assert (= "a" (str.replace "#DTMVf" a "")))
(check-sat)
