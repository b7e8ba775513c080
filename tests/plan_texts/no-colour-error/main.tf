variable "size" {
  default = 2
}

resource "terraform_data" "fine" {
  input = var.size
}

resource "terraform_data" "fails" {
  input = "b"
  lifecycle {
    precondition {
      condition     = var.size == 77
      error_message = "The size is not 77."
    }
  }
}
