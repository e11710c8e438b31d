(
  (define-fun a () (_ BitVec 4) #b1111)
  (define-fun b () (_ BitVec 5) #b11111)
)
