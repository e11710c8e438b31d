; A constant array with one exception.
(set-logic ALL)
(declare-const a (Array Int Real))
(declare-const k Int)
(assert (= a (store ((as const (Array Int Real)) 0.5) k 2.0)))
(assert (> (select a 7) (select a (- k))))
(check-sat)
