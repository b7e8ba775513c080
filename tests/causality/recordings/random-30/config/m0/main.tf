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
  l_r1 = [terraform_data.r0.id]
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r1]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  count = 2
  in = jsonencode([for each in terraform_data.r1 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r0.id)
}
