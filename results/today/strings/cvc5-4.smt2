(declare-fun a () String)
(assert (str.in_re a (re.+ (re.+ (re.+ (re.union (str.to_re "a") (str.to_re "")))))))
(assert (= (str.to_int a) 0))
(check-sat)
