import {
  to = terraform_data.one
  id = "an-id"
}

import {
  to = terraform_data.two["x"]
  id = "another"
}

resource "terraform_data" "one" {
}

resource "terraform_data" "two" {
  for_each = toset(["x"])
  input    = "changed"
}
