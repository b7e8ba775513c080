variable "in" {
  default = ""
}
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
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
locals {
  l_r2 = [terraform_data.r1.id, terraform_data.r0["k0"].id]
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [local.l_r2]
  depends_on = [terraform_data.r1]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
