variable "in" {
  default = ""
}
resource "terraform_data" "r0" {
  count = 2
  triggers_replace = ["1"]
  input = [var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode(terraform_data.r1.id)
  depends_on = [terraform_data.r1]
}
module "m1" {
  source = "./m1"
  in = jsonencode(terraform_data.r1.id)
}
resource "terraform_data" "after0" {
  input = module.m0.out
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
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
