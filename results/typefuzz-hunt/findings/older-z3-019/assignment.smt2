(
  (define-fun a () Int 0)
  (define-fun b () Int (- 2))
)
