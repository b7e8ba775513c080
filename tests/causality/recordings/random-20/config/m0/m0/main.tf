variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 3
  triggers_replace = ["1"]
  input = [var.in]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [var.in]
}
resource "terraform_data" "r2" {
  count = 1
  triggers_replace = ["1"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r2 : each.id])
}
