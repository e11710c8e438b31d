; The theory ArraysEx of SMT-LIB.
(theory ArraysEx)
(declare-sort Array 2)
(par (X Y) (select (Array X Y) X Y))
(par (X Y) (store (Array X Y) X Y (Array X Y)))
