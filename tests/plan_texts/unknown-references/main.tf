resource "terraform_data" "one" {
  input = terraform_data.two.id
}

resource "terraform_data" "three" {
  input    = var.missing
  nonsense = 1
}
