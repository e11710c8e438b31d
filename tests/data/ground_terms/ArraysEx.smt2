; Ground terms of ArraysEx with their values, each confirmed by two solvers.
; select
(assert (= (select (store (store (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b01) #b01 #b10) #b10 #b00) #b00 #b11) (ite false #b10 #b10)) #b00))
(assert (= (select (store (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b01) #b00 #b10) #b10 #b00) #b11) #b01))
(assert (= (select ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b11) #b10) #b11))
(assert (= (select (store (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b01) #b01 #b00) #b11 #b11) #b10) #b01))
(assert (= (select (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00) #b10 #b10) #b10) #b10))
(assert (= (select (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00) #b00 #b10) #b00) #b10))
; store
(assert (= (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b10) #b10 #b00) (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b10) #b10 #b00)))
(assert (= (store (store ((as const (Array Int Int)) 0) 127 (- 4)) 257 (- 48)) (store (store ((as const (Array Int Int)) 0) 127 (- 4)) 257 (- 48))))
(assert (= (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b11) #b11 #b00) (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b11) #b11 #b00)))
(assert (= (store (store ((as const (Array Int Int)) 2) 5 4) (- 5) 1) (store (store ((as const (Array Int Int)) 2) (- 5) 1) 5 4)))
(assert (= (store ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b01) #b10 #b01) ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b01)))
(assert (= (store (store (store ((as const (Array Int Int)) 1) (- 3) 1048577) 0 2) 0 6) (store (store ((as const (Array Int Int)) 1) (- 3) 1048577) 0 6)))
