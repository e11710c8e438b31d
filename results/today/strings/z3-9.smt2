(declare-fun a () String)
(declare-fun b () Int)
(assert (= "`}os.f" (str.replace "a" (str.from_int b) (str.substr a 0 b))))
(check-sat)
