resource "terraform_data" "r0" {
  count = 3
  triggers_replace = ["1"]
  input = []
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
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  count = 3
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r3 = [[for each in terraform_data.r0 : each.id]]
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [local.l_r3]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode([for each in terraform_data.r2 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r2 : each.id])
}
