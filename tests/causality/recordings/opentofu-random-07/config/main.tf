resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  for_each = toset(["k0"])
  triggers_replace = ["2"]
  input = [terraform_data.r0.id, terraform_data.r0.id]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
locals {
  l_r2 = [terraform_data.r0.id, terraform_data.r1["k0"].id]
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r2.id)
}
