variable "in" {
  default = ""
}
locals {
  l_r0 = [var.in]
}
resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["1"]
  input = [local.l_r0]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id], [for each in terraform_data.r1 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r1 : each.id], [for each in terraform_data.r1 : each.id]]
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
  value = jsonencode(terraform_data.r2.id)
}
