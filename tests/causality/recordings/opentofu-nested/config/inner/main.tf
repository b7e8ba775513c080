variable "in" {}
resource "terraform_data" "i" {
  input = var.in
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "j" {
  input = terraform_data.i.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
output "id" {
  value = terraform_data.j.id
}
