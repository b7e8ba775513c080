variable "n" {
  default = 2
}

resource "terraform_data" "one" {
  input = var.n
}

check "first" {
  assert {
    condition     = var.n == 3
    error_message = "n is not 3."
  }
}

check "second" {
  assert {
    condition     = var.n == 4
    error_message = "n is not 4."
  }
}

check "third" {
  assert {
    condition     = var.n == 5
    error_message = "n is not 5."
  }
}
