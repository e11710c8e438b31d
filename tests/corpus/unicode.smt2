; Only 2.6 can write these.
(set-info :smt-lib-version 2.6)
(declare-const x String)
(assert (= x "\u{100}\u{1F600}\u{2FFFF}\ud800é€"))
(assert (= x "\u{30000}"))
(check-sat)
