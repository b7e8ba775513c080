resource "terraform_data" "a" {
  triggers_replace = ["3"]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  triggers_replace = ["3"]
  input = terraform_data.a.id
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "stuck" {
  triggers_replace = ["3"]
  input = terraform_data.b.id
  lifecycle {
    create_before_destroy = true
  }
}
