resource "terraform_data" "one" {
  input = {
    list = ["a", "b", "c", "d"]
    set  = toset(["x", "y"])
    map  = { k = "v", gone = 1 }
    text = "one\ntwo\nthree\n"
    json = jsonencode({ a = [1, 2], b = { c = "d" } })
    none = null
    nest = [{ n = 1 }, { n = 2 }]
  }
}
