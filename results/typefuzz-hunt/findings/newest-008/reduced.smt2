(assert (not (str.in_re "a" (re.diff re.allchar (str.to_re "") re.allchar))))
(check-sat)
