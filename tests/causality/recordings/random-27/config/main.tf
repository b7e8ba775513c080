resource "terraform_data" "r0" {
  for_each = toset(["k0", "k1", "k2"])
  triggers_replace = ["1"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r1" {
  triggers_replace = ["2"]
  input = [terraform_data.r0["k0"].id]
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r2" {
  for_each = toset(["k0", "k1"])
  triggers_replace = ["2"]
  input = [terraform_data.r1.id, terraform_data.r0["k0"].id]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
resource "terraform_data" "r3" {
  count = 3
  triggers_replace = ["2"]
  input = []
  provisioner "local-exec" {
    command = "sleep 0.02"
  }
}
output "out" {
  value = jsonencode([for each in terraform_data.r0 : each.id])
}
