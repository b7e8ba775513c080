data "terraform_remote_state" "network" {
  backend = "local"
  config  = { path = "${path.module}/network.json" }
}

data "terraform_remote_state" "more" {
  for_each = toset(["a", "ü b"])
  backend  = "local"
  config   = { path = "${path.module}/network.json" }
}

resource "terraform_data" "one" {
  input = data.terraform_remote_state.network.outputs.z
}
