(declare-fun a () String)
(assert (str.contains (str.replace a "a" a) a))
(check-sat)
