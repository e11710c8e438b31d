; Quotients and remainders with signs.
(set-logic ALL)
(declare-const n Int)
(declare-const d Int)
(assert (not (= d 0)))
(assert (= n (+ (* d (div n d)) (mod n d))))
(assert (< (div n d) 0 (mod n d)))
(assert (= (mod (+ n d) 3) 0))
(check-sat)
