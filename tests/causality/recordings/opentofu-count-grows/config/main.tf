resource "terraform_data" "a" {
  count = 4
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  count = 4
  input = terraform_data.a[count.index].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
