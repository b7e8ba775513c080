variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 1
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
  l_r2 = [[for each in terraform_data.r0 : each.id], var.in]
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["1"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
