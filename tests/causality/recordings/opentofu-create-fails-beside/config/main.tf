resource "terraform_data" "a" {
  triggers_replace = ["1"]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  triggers_replace = ["1"]
  input = terraform_data.a.id
  provisioner "local-exec" {
    command = "sleep 0.05; exit 1"
  }
}
resource "terraform_data" "c" {
  triggers_replace = ["1"]
  input = terraform_data.b.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "d" {
  triggers_replace = ["1"]
  input = terraform_data.c.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "w" {
  triggers_replace = ["1"]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "x" {
  triggers_replace = ["1"]
  input = terraform_data.w.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "y" {
  triggers_replace = ["1"]
  input = terraform_data.x.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "z" {
  triggers_replace = ["1"]
  input = terraform_data.y.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
