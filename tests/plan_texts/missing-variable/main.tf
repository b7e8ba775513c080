variable "name" {
  type = string
}

resource "terraform_data" "one" {
  input = var.name
}
