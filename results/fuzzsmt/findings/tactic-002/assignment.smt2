(
  (define-fun a () (_ BitVec 3) #b010)
  (define-fun b () (_ BitVec 6) #b000000)
)
