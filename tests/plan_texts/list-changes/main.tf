resource "terraform_data" "one" {
  input = {
    list = ["b", "c", "new", "d"]
    set  = toset(["x", "z"])
    map  = { k = "w", fresh = 2 }
    text = "one\n2\nthree\n"
    json = jsonencode({ a = [2, 1], b = { c = "e" } })
    none = "some"
    nest = [{ n = 2 }, { n = 3 }, { n = 4 }]
  }
}
