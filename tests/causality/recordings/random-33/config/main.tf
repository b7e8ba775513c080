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
  count = 3
  triggers_replace = ["2"]
  input = [terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
locals {
  l_r2 = [terraform_data.r0.id, terraform_data.r0.id]
}
resource "terraform_data" "r2" {
  for_each = toset(["k0"])
  triggers_replace = ["2"]
  input = [local.l_r2]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  count = 1
  triggers_replace = ["2"]
  input = [terraform_data.r0.id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
module "m0" {
  source = "./m0"
  for_each = toset(["a", "b"])
  in = jsonencode(terraform_data.r0.id)
}
module "m1" {
  source = "./m1"
  count = 2
  in = jsonencode([for each in terraform_data.r2 : each.id])
}
resource "terraform_data" "after0" {
  input = module.m0["a"].out
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
  value = jsonencode([for each in terraform_data.r3 : each.id])
}
