resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
