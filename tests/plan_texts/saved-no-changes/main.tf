resource "terraform_data" "one" {
  input = "a"
}
