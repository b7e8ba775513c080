resource "terraform_data" "one" {
  input = { name = "a", tags = ["x", "y"] }
}

resource "terraform_data" "other" {
  count = 3
  input = count.index
}
