; A comment at the start (
(set-logic QF_S) ; and one behind "
;; (assert false)
(declare-fun ; between
  x () ; tokens
  String)
(assert (= x ; in a term )
  "a;b"))
(check-sat)
; the last line has no newline
