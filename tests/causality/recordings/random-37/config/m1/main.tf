variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  for_each = toset(["k0"])
  triggers_replace = ["2"]
  input = [var.in]
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
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id], var.in]
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r1.id)
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
