variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [terraform_data.r0.id, terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [terraform_data.r1.id, terraform_data.r0.id]
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r2]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [var.in]
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [local.l_r3]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
