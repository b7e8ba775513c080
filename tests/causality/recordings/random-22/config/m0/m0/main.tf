variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
locals {
  l_r1 = [terraform_data.r0.id, var.in]
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [local.l_r1]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r0.id)
}
