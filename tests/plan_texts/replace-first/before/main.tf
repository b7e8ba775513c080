resource "terraform_data" "one" {
  input            = "a"
  triggers_replace = ["a", "b"]
}
