variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 1
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [terraform_data.r0[0].id]
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  count = 3
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode([for each in terraform_data.r2 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
