variable "size" {
  type = number
  validation {
    condition     = var.size < 5
    error_message = "Too large, at most 5."
  }
}

resource "terraform_data" "one" {
  input = var.size
}
