variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 1
  triggers_replace = ["2"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [terraform_data.r1.id, [for each in terraform_data.r0 : each.id]]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r2.id)
}
