; What the theory Reals_Ints of SMT-LIB adds to Ints and Reals.
(theory Reals_Ints)
(to_real Int Real)
(to_int Real Int)
(is_int Real Bool)
