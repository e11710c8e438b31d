; Quoted, odd and empty symbols.
(set-logic QF_LIA)
(declare-const || Int)
(declare-const |a b| Int)
(declare-const |simple| Int)
(declare-const |let| Int)
(declare-const |-5| Int)
(declare-const |5| Int)
(declare-const ~!@$%^&*_-+=<>.?/ Int)
(declare-const |two
lines ; "and" (more)| Int)
(declare-fun |f g| (Int) Int)
(assert (= || |a b| simple |let| |5| ~!@$%^&*_-+=<>.?/ (|f g| |two
lines ; "and" (more)|)))
(assert (= |-5| -5))
(check-sat)
