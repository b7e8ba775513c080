resource "terraform_data" "first" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
