; The Core theory of SMT-LIB.
;
; How these files are written: one line per operator and signature, `(name parameter… result attribute…)`, after
; Fig. 4 of the TypeFuzz paper; `par` binds sort variables, `(_ name i …)` is an indexed operator, and a symbol in the
; index of a sort is a numeral variable. Attributes:
;   :left-assoc :right-assoc :chainable :pairwise  as in SMT-LIB
;   :spelling-2.0 S  :spelling-2.5 S               how older dialects write it (`none`: they cannot); S is a name, or a
;                                                  form: `(N 1 0)` swaps the arguments, `(N 0 i j)` has the indices last
;   :also (S…)                                     further spellings that are read, never printed
;   :group g                                       operators of one group may stand for one another
;   :min-arguments n                               fewest arguments that every solver reads
;   :default-last n                                an omitted last argument is the numeral n
;   :literal-arguments (k…)                        these arguments (from 0) must be literals
;   :linear                                        in linear logics all arguments but one must be constants
;   :where (c…)                                    conditions on the numerals, each (< a b) (<= a b) or (= a b)
; `(theory name default…)` opens a file; `(declare-sort name arity)` and `(define-sort alias sort)` declare its sorts.
; A sort with `:or-more` after its arity takes more arguments too. The operators of a theory that ends with `:extension`
; are some solvers' own: they are read and printed, but no script is generated with them, and an application that fits no
; line is kept as it is.
(theory Core)
(declare-sort Bool 0)
(true Bool)
(false Bool)
(not Bool Bool)
(=> Bool Bool Bool :right-assoc :also (implies))
(and Bool Bool Bool :left-assoc :group connectives)
(or Bool Bool Bool :left-assoc :group connectives)
(xor Bool Bool Bool :left-assoc)
(par (A) (= A A Bool :chainable :also (iff)))
(par (A) (distinct A A Bool :pairwise))
(par (A) (ite Bool A A A :also (if)))
