resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
locals {
  one = terraform_data.a.id
  two = { a = local.one, b = terraform_data.b.id }
}
resource "terraform_data" "c" {
  input = local.two.a
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
