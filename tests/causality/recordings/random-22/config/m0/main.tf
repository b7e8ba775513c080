variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [terraform_data.r0.id, terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["2"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r1.id)
}
module "m1" {
  source = "./m1"
  in = jsonencode(terraform_data.r0.id)
  depends_on = [terraform_data.r0]
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
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
