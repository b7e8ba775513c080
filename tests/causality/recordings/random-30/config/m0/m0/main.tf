variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 3
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [terraform_data.r0[0].id, var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r0 : each.id], var.in]
}
resource "terraform_data" "r3" {
  for_each = toset(["k0", "k1", "k2"])
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
  value = jsonencode(terraform_data.r2.id)
}
