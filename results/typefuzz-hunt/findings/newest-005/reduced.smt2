(declare-fun a () String)
(assert (str.< "AFOOE" (str.replace_re "AFOOE" (str.to_re a) "")))
(check-sat)
