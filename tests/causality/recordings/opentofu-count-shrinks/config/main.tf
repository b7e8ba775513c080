resource "terraform_data" "a" {
  count = 1
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a[*].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
