resource "terraform_data" "a" {
  count = 3
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "one" {
  input = terraform_data.a[0].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "all" {
  input = terraform_data.a[*].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "each" {
  count = 3
  input = terraform_data.a[count.index].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
