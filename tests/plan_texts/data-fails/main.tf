data "terraform_remote_state" "network" {
  backend = "local"
  config  = { path = "${path.module}/nothing.json" }
}

resource "terraform_data" "one" {
  input = "a"
}
