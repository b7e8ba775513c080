resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [terraform_data.r0["k0"].id, [for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [terraform_data.r1.id]
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  count = 2
  in = jsonencode(terraform_data.r1.id)
  depends_on = [terraform_data.r1]
}
module "m1" {
  source = "./m1"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r2.id)
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
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
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
