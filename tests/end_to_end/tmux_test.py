#!/usr/bin/python3
"""A real tmux: what is drawn while something runs leaves nothing in the pane's history, whatever its width becomes."""
import os
import shlex
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, until
from screen_test import running


class Tmux(EndToEnd):
    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", "tofud-test-%d" % os.getpid(), "-f", "/dev/null", *words], capture_output=True, text=True,
                              env=self.env(TERM="xterm-256color"), timeout=PATIENCE).stdout.strip()

    def history(self):
        return int(self.tmux("display-message", "-p", "-t", "pane", "#{history_size}"))

    def shown(self):
        return self.tmux("capture-pane", "-p", "-t", "pane")

    def test_a_narrowed_pane_gets_no_history_from_what_is_drawn_again(self):
        path = os.path.join(self.home, "stream.jsonl")
        with open(path, "wb") as file:
            file.write(running(["t.resource_with_a_name_that_is_long_enough_to_be_folded_in_a_narrow_pane[%d]" % i for i in range(8)]))
        pipe = "(cat %s; sleep 60) | %s --no-listen --progress tty --state-dir %s" % tuple(map(shlex.quote, (path, TOFUD, self.state_dir)))
        self.tmux("new-session", "-d", "-s", "pane", "-x", "120", "-y", "30", pipe)
        self.addCleanup(self.tmux, "kill-server")
        until(lambda: "8 running" in self.shown(), "the block")
        self.assertEqual(self.history(), 0)
        self.tmux("resize-window", "-t", "pane", "-x", "70")
        torn = []

        def drawn_often():
            torn.append(self.history())
            return len(torn) > 400 and "8 running" in self.shown()
        until(drawn_often, "it was drawn again and again")
        # The block that the reflow tore, once; not one for each time it is drawn.
        self.assertLessEqual(torn[-1], 24, torn[::40])
        self.assertEqual(torn[-1], torn[len(torn) // 2], torn[::40])


if __name__ == "__main__":
    unittest.main(verbosity=2)
