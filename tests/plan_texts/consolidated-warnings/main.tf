resource "terraform_data" "one" {
  input = "a"
  lifecycle {
    ignore_changes = [output]
  }
}

resource "terraform_data" "two" {
  input = "a"
  lifecycle {
    ignore_changes = [output]
  }
}

resource "terraform_data" "three" {
  input = "a"
  lifecycle {
    ignore_changes = [output, id]
  }
}
