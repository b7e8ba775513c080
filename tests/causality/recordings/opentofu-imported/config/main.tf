resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
import {
  to = terraform_data.b
  id = "known"
}
resource "terraform_data" "b" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "c" {
  input = terraform_data.b.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
