"""What somebody who goes by keyboard sees of the focus."""

# Whether what has the focus can be seen: a line around it, and its middle not under something else.
FOCUS = """(() => {
  const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const x = Math.min(Math.max(box.x + box.width / 2, 1), innerWidth - 1), y = Math.min(Math.max(box.y + Math.min(box.height, 30) / 2, 0), innerHeight);
  const there = document.elementFromPoint(x, y);
  return {
    what: one.outerHTML.slice(0, 120), line: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    in_sight: there !== null && (one.contains(there) || there.contains(one) || there.closest('label')?.control === one),
  };
})()"""
