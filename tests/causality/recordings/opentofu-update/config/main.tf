resource "terraform_data" "a" {
  input = "2"
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.output
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
