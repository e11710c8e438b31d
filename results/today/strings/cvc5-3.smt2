(declare-fun a () String)
(assert (str.in_re a (re.+ (re.+ (re.+ (re.opt (str.to_re "a")))))))
(assert (= (str.to_int a) 0))
(check-sat)
