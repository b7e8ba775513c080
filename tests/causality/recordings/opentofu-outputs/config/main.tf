resource "terraform_data" "a" {

  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
output "o" {
  value = terraform_data.b.id
  depends_on = [terraform_data.c]
}
resource "terraform_data" "c" {

  provisioner "local-exec" {
    command = "sleep 0.2"
  }
}
