module "site" {
  source = "./site"
}
resource "terraform_data" "a" {
}
