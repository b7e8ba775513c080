resource "terraform_data" "one" {
  input = "a"
}

resource "terraform_data" "two" {
  input = "a"
}

resource "terraform_data" "three" {
  input = "a"
}
