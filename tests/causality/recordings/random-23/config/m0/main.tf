variable "in" {
  default = ""
}
resource "terraform_data" "r1" {
  count = 1
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
}
module "m1" {
  source = "./m1"
  count = 2
  in = jsonencode([for each in terraform_data.r1 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0.out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "after1" {
  input = module.m1[0].out
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
