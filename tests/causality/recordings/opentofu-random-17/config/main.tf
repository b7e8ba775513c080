resource "terraform_data" "r0" {
  for_each = toset(["k0"])
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [[for each in terraform_data.r0 : each.id]]
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r1 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  count = 1
  triggers_replace = ["1"]
  input = [terraform_data.r0["k0"].id, [for each in terraform_data.r1 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r2.id)
}
