(
  (define-fun div0 ((x!0 Int) (x!1 Int)) Int (ite (and (= x!0 8) (= x!1 2)) 4 (ite (and (= x!0 8) (= x!1 0)) 0 (- 2))))
  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int (ite (and (= x!0 8) (= x!1 2)) 0 (ite (and (= x!0 8) (= x!1 0)) 9 3)))
)
