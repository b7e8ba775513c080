nope = "x"
