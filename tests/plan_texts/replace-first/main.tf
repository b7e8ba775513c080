resource "terraform_data" "one" {
  input            = "a"
  triggers_replace = ["b", "c"]
  lifecycle {
    create_before_destroy = true
  }
}
