(set-logic QF_S)
(declare-fun var0 () String)
(assert (str.in.re var0 (re.++ (str.to.re "[q") (re.++ (str.to.re "8T") (str.to.re "oes")))))
(check-sat)
