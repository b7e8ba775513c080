resource "terraform_data" "kept" {
  input = "a"
}

removed {
  from = terraform_data.forgotten
  lifecycle {
    destroy = false
  }
}
