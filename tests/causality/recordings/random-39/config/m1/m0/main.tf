variable "in" {
  default = ""
}
locals {
  l_r0 = [var.in]
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = [local.l_r0]
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [terraform_data.r0.id, terraform_data.r0.id, var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
