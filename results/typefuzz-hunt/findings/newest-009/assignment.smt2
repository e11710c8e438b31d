(
  (define-fun a () Int 2)
)
