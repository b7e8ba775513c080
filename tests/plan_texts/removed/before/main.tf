resource "terraform_data" "kept" {
  input = "a"
}

resource "terraform_data" "forgotten" {
  input = "a"
}
