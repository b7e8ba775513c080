resource "terraform_data" "old" {
  input = "a"
}

resource "terraform_data" "also" {
  input = "a"
}
