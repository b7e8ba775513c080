resource "terraform_data" "r0" {
  count = 1
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
  triggers_replace = ["2"]
  input = []
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
  count = 2
  in = jsonencode(terraform_data.r1.id)
}
resource "terraform_data" "after0" {
  input = module.m0[0].out
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
  value = jsonencode(terraform_data.r1.id)
}
