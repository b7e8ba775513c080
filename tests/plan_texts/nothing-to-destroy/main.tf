resource "terraform_data" "one" {
}
