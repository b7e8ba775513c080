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
  for_each = toset(["k0"])
  triggers_replace = ["2"]
  input = [terraform_data.r0.id, var.in]
  depends_on = [terraform_data.r0]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  triggers_replace = ["2"]
  input = [terraform_data.r1["k0"].id, terraform_data.r0.id, var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  triggers_replace = ["1"]
  input = [terraform_data.r2.id, terraform_data.r0.id, var.in]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  in = jsonencode(terraform_data.r3.id)
}
module "m1" {
  source = "./m1"
  in = jsonencode(terraform_data.r3.id)
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
  value = jsonencode(terraform_data.r2.id)
}
