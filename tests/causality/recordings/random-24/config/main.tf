resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["2"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [terraform_data.r0["k0"].id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r0 : each.id], terraform_data.r1.id]
}
resource "terraform_data" "r3" {
  count = 1
  triggers_replace = ["2"]
  input = [local.l_r3]
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
  in = jsonencode(terraform_data.r1.id)
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
