resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input = each.key
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "one" {
  input = terraform_data.a["x"].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "all" {
  input = values(terraform_data.a)[*].id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
resource "terraform_data" "each" {
  for_each = terraform_data.a
  input = each.value.id
  provisioner "local-exec" {
    command = "sleep 0.05"
  }
}
