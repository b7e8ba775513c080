resource "terraform_data" "new" {
  input = "a"
}

resource "terraform_data" "same" {
  input = "b"
}

moved {
  from = terraform_data.old
  to   = terraform_data.new
}

moved {
  from = terraform_data.also
  to   = terraform_data.same
}
