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
resource "terraform_data" "r1" {
  count = 2
  triggers_replace = ["2"]
  input = [terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  count = 3
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id], [for each in terraform_data.r1 : each.id]]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r2 : each.id]]
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [local.l_r3]
  depends_on = [terraform_data.r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r3.id)
}
