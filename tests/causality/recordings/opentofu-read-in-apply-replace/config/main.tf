resource "terraform_data" "a" {
  triggers_replace = ["2"]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
data "terraform_remote_state" "r" {
  backend = "local"
  config = {
    path = "${path.module}/other.tfstate"
  }
  depends_on = [terraform_data.a]
}
resource "terraform_data" "b" {
  input = data.terraform_remote_state.r.outputs.v
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
