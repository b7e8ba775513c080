variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 2
  triggers_replace = ["1"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id], var.in]
}
resource "terraform_data" "r1" {
  count = 1
  triggers_replace = ["1"]
  input = [local.l_r1]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0"])
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id], terraform_data.r1[0].id, var.in]
  depends_on = [terraform_data.r1]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r2 : each.id])
}
