variable "name" {
  type      = string
  sensitive = true
}

resource "terraform_data" "this" {
  count = 2
  input = { name = var.name, text = "one\ntwo\n", n = count.index }
}

output "id" {
  value = terraform_data.this[0].id
}
