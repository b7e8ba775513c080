resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 2
  triggers_replace = ["1"]
  input = [terraform_data.r0.id]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [terraform_data.r0.id, terraform_data.r0.id]
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r2]
  depends_on = [terraform_data.r0]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r3.id)
  depends_on = [terraform_data.r3]
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
