; The theory ArraysEx of SMT-LIB.
(theory ArraysEx)
; Z3's arrays have any number of indices.
(declare-sort Array 2 :or-more)
(par (X Y) (select (Array X Y) X Y))
(par (X Y) (store (Array X Y) X Y (Array X Y)))
