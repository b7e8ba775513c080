variable "in" {}
resource "terraform_data" "o" {
  input = var.in
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
module "inner" {
  source = "../inner"
  count  = 2
  in     = terraform_data.o.id
}
output "ids" {
  value = module.inner[*].id
}
