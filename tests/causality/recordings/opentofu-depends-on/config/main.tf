resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.2"
  }
}
resource "terraform_data" "b" {
  depends_on = [terraform_data.a]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "c" {
  count = 2
  depends_on = [terraform_data.b]
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
