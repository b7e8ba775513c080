resource "terraform_data" "r0" {
  count = 3
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [local.l_r1]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0"])
  triggers_replace = ["2"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  count = 2
  in = jsonencode([for each in terraform_data.r0 : each.id])
  depends_on = [terraform_data.r0]
}
module "m1" {
  source = "./m1"
  in = jsonencode([for each in terraform_data.r2 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
