resource "terraform_data" "one" {
  input = "a"
}

data "terraform_remote_state" "later" {
  backend = "local"
  config  = { path = "/srv/${terraform_data.one.id}.json" }
}
