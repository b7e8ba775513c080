variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [terraform_data.r0.id, terraform_data.r0.id]
}
resource "terraform_data" "r1" {
  count = 3
  triggers_replace = ["2"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  count = 1
  triggers_replace = ["2"]
  input = [[for each in terraform_data.r1 : each.id], terraform_data.r1[0].id, var.in]
  depends_on = [terraform_data.r1]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id], var.in]
  depends_on = [terraform_data.r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r2 : each.id])
}
