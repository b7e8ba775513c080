variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  for_each = toset(["k0"])
  triggers_replace = ["1"]
  input = [terraform_data.r0.id, var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [[for each in terraform_data.r1 : each.id], var.in]
}
resource "terraform_data" "r2" {
  count = 1
  triggers_replace = ["1"]
  input = [local.l_r2]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  for_each = toset(["k0"])
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id], var.in]
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode([for each in terraform_data.r3 : each.id])
}
module "m1" {
  source = "./m1"
  for_each = toset(["a", "b"])
  in = jsonencode([for each in terraform_data.r3 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r3 : each.id])
}
