module "m" {
  source   = "./m"
  for_each = toset(["p", "q"])
  in       = terraform_data.first.id
}
resource "terraform_data" "first" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "last" {
  input = module.m["p"].out
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "all" {
  input = [for each in module.m : each.out]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
