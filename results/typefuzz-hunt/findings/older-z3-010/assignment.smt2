(
  (define-fun div0 ((x!0 Int) (x!1 Int)) Int (- 1))
  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int 0)
)
