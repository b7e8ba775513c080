variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["2"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 1
  triggers_replace = ["2"]
  input = [terraform_data.r0.id, terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r0.id)
}
