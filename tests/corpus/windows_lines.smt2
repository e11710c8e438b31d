(set-logic QF_S)
(declare-fun x () String)
(assert (= x "a"))
; comment
(check-sat)