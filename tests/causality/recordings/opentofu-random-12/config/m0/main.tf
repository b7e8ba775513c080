variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 3
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["2"]
  input = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [terraform_data.r0[0].id, var.in]
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r1 : each.id], var.in]
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [local.l_r3]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode([for each in terraform_data.r1 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r2.id)
}
