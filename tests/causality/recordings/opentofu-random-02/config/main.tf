resource "terraform_data" "r0" {
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [terraform_data.r0.id, terraform_data.r0.id]
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode(terraform_data.r0.id)
  depends_on = [terraform_data.r0]
}
module "m1" {
  source = "./m1"
  count = 2
  in = jsonencode(terraform_data.r0.id)
}
resource "terraform_data" "after0" {
  input = module.m0.out
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
  value = jsonencode(terraform_data.r0.id)
}
