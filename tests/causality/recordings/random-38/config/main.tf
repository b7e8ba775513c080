resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1"])
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
  count = 3
  triggers_replace = ["1"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [terraform_data.r0["k0"].id]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode([for each in terraform_data.r0 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r2.id)
}
