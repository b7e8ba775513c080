resource "terraform_data" "a" {
  input = "2"
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
