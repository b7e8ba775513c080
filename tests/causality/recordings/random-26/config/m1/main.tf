variable "in" {
  default = ""
}
locals {
  l_r0 = [var.in]
}
resource "terraform_data" "r0" {
  for_each = toset(["k0"])
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
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [[for each in terraform_data.r0 : each.id]]
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
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
