variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["1"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode(terraform_data.r0.id)
}
module "m1" {
  source = "./m1"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r1.id)
}
resource "terraform_data" "after0" {
  input = module.m0.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1["a"].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode(terraform_data.r0.id)
}
