output "a" {
  value = "old"
}

output "b" {
  value     = "secret"
  sensitive = true
}
