resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.2"
  }
}
resource "terraform_data" "b" {
  provisioner "local-exec" {
    command = "echo ${terraform_data.a.id}"
  }
}
