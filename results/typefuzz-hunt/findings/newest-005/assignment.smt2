(
  (define-fun a () String "AFOO")
)
