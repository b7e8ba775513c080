variable "in" {
  default = ""
}
locals {
  l_r0 = [var.in]
}
resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["2"]
  input = [local.l_r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 3
  triggers_replace = ["2"]
  input = [terraform_data.r0["k0"].id, terraform_data.r0["k0"].id, var.in]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
