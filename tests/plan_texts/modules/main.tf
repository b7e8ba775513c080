module "site" {
  source   = "./site"
  for_each = toset(["a", "zürich 1", "日本"])
  name     = each.key
}

output "sites" {
  value = { for name, site in module.site : name => site.id }
}
