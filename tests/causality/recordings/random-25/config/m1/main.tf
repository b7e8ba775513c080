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
locals {
  l_r1 = [terraform_data.r0.id, var.in]
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r0.id)
}
module "m1" {
  source = "./m1"
  count = 2
  in = jsonencode([for each in terraform_data.r1 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
