(
  (define-fun a () Int 0)
)
