(
  (define-fun a () String "")
  (define-fun div0 ((x!0 Int) (x!1 Int)) Int 0)
  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int 0)
)
