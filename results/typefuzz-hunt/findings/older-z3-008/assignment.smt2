(
  (define-fun a () String "")
  (define-fun b () Int 0)
)
