resource "terraform_data" "one" {
  input = { name = "b", tags = ["x", "z", "y"] }
}

resource "terraform_data" "other" {
  count = 2
  input = count.index
}
