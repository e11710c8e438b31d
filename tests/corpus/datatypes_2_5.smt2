; As before SMT-LIB 2.6.
(set-info :smt-lib-version 2.5)
(declare-datatypes () ((Val (Str (str String)) (Num (num Int)) Nothing)))
(declare-datatypes (T) ((Lst empty (insert (hd T) (tl Lst)))))
(declare-const v Val)
(assert (=> (is-Str v) (= (str.to.int (str v)) (- 1))))
(assert (distinct v Nothing))
(check-sat)
