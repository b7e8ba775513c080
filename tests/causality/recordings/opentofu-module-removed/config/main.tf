resource "terraform_data" "base" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "gate" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
