variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [local.l_r1]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
