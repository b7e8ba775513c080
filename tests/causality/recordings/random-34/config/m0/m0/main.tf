variable "in" {
  default = ""
}
locals {
  l_r0 = [var.in]
}
resource "terraform_data" "r0" {
  count = 1
  triggers_replace = ["2"]
  input = [local.l_r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [terraform_data.r0[0].id, [for each in terraform_data.r0 : each.id], var.in]
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0"])
  triggers_replace = ["1"]
  input = [terraform_data.r1.id, var.in]
  depends_on = [terraform_data.r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r2 : each.id], terraform_data.r1.id, var.in]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
