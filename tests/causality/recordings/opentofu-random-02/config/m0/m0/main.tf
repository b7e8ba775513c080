variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 3
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 2
  triggers_replace = ["2"]
  input = [[for each in terraform_data.r0 : each.id], [for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id], terraform_data.r0[0].id]
  depends_on = [terraform_data.r0]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
