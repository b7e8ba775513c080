variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["2"]
  input = [var.in]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [var.in]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  count = 2
  in = jsonencode(terraform_data.r1.id)
}
module "m1" {
  source = "./m1"
  in = jsonencode(terraform_data.r0.id)
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r0.id)
}
