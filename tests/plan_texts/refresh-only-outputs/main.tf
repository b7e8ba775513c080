output "a" {
  value = "newer"
}

output "c" {
  value = { x = [1, 2, "three"] }
}
