resource "terraform_data" "one" {
  input = "a"
}

output "id" {
  value = terraform_data.one.id
}
