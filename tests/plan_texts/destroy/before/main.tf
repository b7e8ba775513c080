resource "terraform_data" "one" {
  input = "a"
}

resource "terraform_data" "two" {
  input = terraform_data.one.id
}

output "o" {
  value = "gone soon"
}
