resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.2"
  }
}
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition     = terraform_data.a.id != ""
      error_message = "no"
    }
  }
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
