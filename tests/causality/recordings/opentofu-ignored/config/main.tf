resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.2"
  }
}
resource "terraform_data" "b" {
  input = "x"
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
