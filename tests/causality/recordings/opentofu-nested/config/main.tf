resource "terraform_data" "base" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
module "outer" {
  source = "./outer"
  in     = terraform_data.base.id
  depends_on = [terraform_data.gate]
}
resource "terraform_data" "gate" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "end" {
  depends_on = [module.outer]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
