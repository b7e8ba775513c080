variable "in" {
  default = ""
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["1"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r1.id)
}
