resource "terraform_data" "a" {
  triggers_replace = ["2"]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  triggers_replace = ["2"]
  input = terraform_data.a.id
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
resource "terraform_data" "c" {
  triggers_replace = ["2"]
  input = terraform_data.b.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "d" {
  triggers_replace = ["2"]
  input = terraform_data.c.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
