resource "terraform_data" "a" {
  input = "2"
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
