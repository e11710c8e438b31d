(declare-fun var1 () String)
(declare-fun var2 () Int)
(assert (str.contains (str.from_int (str.indexof var1 "a" var2)) (str.from_int 22)))
(check-sat)
