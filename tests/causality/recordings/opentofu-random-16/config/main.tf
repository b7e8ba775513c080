resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  count = 2
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r0 : each.id], terraform_data.r0["k0"].id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  count = 1
  triggers_replace = ["1"]
  input = [[for each in terraform_data.r1 : each.id]]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r1 : each.id])
}
