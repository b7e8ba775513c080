resource "terraform_data" "r0" {
  count = 1
  triggers_replace = ["1"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
locals {
  l_r1 = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
}
resource "terraform_data" "r1" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["2"]
  input = [local.l_r1]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
