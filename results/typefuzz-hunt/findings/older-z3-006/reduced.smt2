(set-logic QF_S)
(assert (str.in.re "" (re.inter (str.to.re "") (str.to.re "a"))))
(check-sat)
