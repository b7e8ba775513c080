variable "n" {
  default = 2
}

resource "terraform_data" "one" {
  input = var.n
}

check "size" {
  assert {
    condition     = var.n == 3
    error_message = "n is not 3."
  }
}
