(
  (define-fun a () Real (/ 1.0 2.0))
  (define-fun /0 ((x!0 Real) (x!1 Real)) Real (ite (and (= x!0 0.0) (= x!1 0.0)) 1.0 0.0))
)
