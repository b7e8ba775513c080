variable "in" {}
resource "terraform_data" "x" {
  input = var.in
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "y" {
  input = local.z
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
locals {
  z = terraform_data.x.id
}
output "out" {
  value = terraform_data.y.id
}
