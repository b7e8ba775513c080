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
  input = [terraform_data.r0.id, terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r2 = [[for each in terraform_data.r1 : each.id]]
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r3.id)
}
