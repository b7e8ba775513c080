"""The page in a browser, for the tests in this folder: what it shows, and what it should show of such rows.

What the page should show is made of rows: those of `tofud replay --rows`, or those of /v1/runs/latest while a run goes on.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import PATIENCE, TOFUD, EndToEnd, Running, children, fold, get, until
from chromium import Chromium

# What the page shows, less the times, which go on. Only the rows in sight are in the document: it scrolls through all.
PICTURE = """(async () => {
  const text = (of, selector) => of.querySelector(selector)?.textContent ?? '';
  const all = (of, selector, take) => [...of.querySelectorAll(selector)].map(take);
  const content = one => one.textContent;
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const chosen = document.querySelector('.views [aria-pressed=true]')?.dataset.view;
  const view = async name => {
    const button = document.querySelector(`.views [data-view=${name}]`);
    if (button && button.ariaPressed !== 'true') button.click();
    for (let i = 0; i < 100 && document.querySelector('main').dataset.view !== name; ++i) await frame();
    for (let i = 0; i < 500 && all(document, 'main .note', content).includes('loading'); ++i) await frame();
    for (const more of document.querySelectorAll('#all-diagnostics, button.more, [data-group][aria-expanded=false]')) more.click();
    await frame();
  };
  await view('overview');
  const resources = new Map(), box = document.querySelector('#resources .rows');
  const take = () => {
    for (const row of box.querySelectorAll('.row')) {
      resources.set(row.dataset.addr, [text(row, '.status'), row.dataset.addr, text(row, '.activity'), text(row, '.id')]);
    }
  };
  if (box) {
    const before = box.scrollTop;
    const unfold = async () => {
      for (const folded of box.querySelectorAll('[data-group][aria-expanded=false]')) folded.click();
      await frame();
    };
    await unfold();
    take();
    for (let top = 0; top < box.scrollHeight - box.clientHeight; top += box.clientHeight) {
      box.scrollTop = top + box.clientHeight;
      await frame();
      await unfold();
      take();
    }
    box.scrollTop = before;
  }
  const shown = {
    title: text(document, 'title'), heading: text(document, '#title'),
    status: text(document, '#status'), progress: text(document, '#progress'),
    resources: [...resources.values()],
    diagnostics: all(document, '#diagnostics .diagnostic', one => ({
      severity: text(one, '.severity'), summary: text(one, '.summary'), address: text(one, '.with .address'),
      file: text(one, '.on .file'), context: text(one, '.on .context'), of_test: text(one, '.of-test'),
      numbers: all(one, '.source .number', content), source: all(one, '.source code', content),
      marked: all(one, '.source mark', content), values: all(one, '.values li', content), detail: text(one, '.detail'),
      attribute: [text(one, '.attribute .name'), text(one, '.attribute .about'), ...all(one, '.attribute .known li', content)],
    })),
    tests: all(document, '#tests .state', one => one.textContent + ' ' + one.nextElementSibling.textContent),
  };
  await view('outputs');
  shown.outputs = all(document, '#outputs tbody tr', row => [text(row, '.name'), text(row, '.value')]);
  await view('log');
  shown.messages = all(document, '#messages .text', content);
  if (chosen) await view(chosen);
  return shown;
})()"""

TIMES = """[...document.querySelectorAll('#clock, #resources .rows .time')].map(one => one.textContent)"""

LINK = "document.getElementById('link').textContent"

# Notes what may last a moment only: the words about the connection, and rows that go away.
WITNESS = """
window.seen = {link: [], rows: 0, fewer: 0};
document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  const link = document.getElementById('link')?.textContent;
  if (link && seen.link.at(-1) !== link) seen.link.push(link);
  const count = document.getElementById('resources')?.dataset.count;
  if (count === undefined) return; // another view, or none yet
  if (Number(count) < seen.rows) ++seen.fewer;
  seen.rows = Number(count);
}).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}));
"""

# All elements and attributes of the document.
MADE_OF = """(() => {
  const all = [...document.querySelectorAll('*')];
  return {elements: all.map(one => one.localName), attributes: all.flatMap(one => one.getAttributeNames())};
})()"""
ELEMENTS = {"html", "head", "meta", "title", "link", "body", "noscript", "main", "header", "details", "section", "summary", "search", "article", "h1", "h2",
            "h3", "p", "nav", "b", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "ol", "ul", "bdi", "li", "pre", "code", "mark", "a",
            "button", "input", "label", "select", "option", "script", "dialog", "form", "dl", "dt", "dd", "kbd", "svg", "path"}
TEST_SAID = {"fail": "failed", "error": "errored", "skip": "skipped", "pass": "passed"}
ONCE = ("title", "body", "h1", "main", "script")
ATTRIBUTES = {"lang", "charset", "name", "content", "rel", "href", "src", "defer", "id", "class", "role", "data-says", "aria-describedby", "style", "tabindex",
              "type", "placeholder", "autocomplete", "spellcheck", "value", "scope", "aria-expanded", "aria-haspopup", "min", "max", "step", "aria-controls", "aria-activedescendant", "method", "aria-label", "aria-labelledby", "aria-live",
              "aria-pressed", "aria-rowcount", "aria-colcount", "aria-rowindex", "aria-selected", "aria-valuemin", "aria-valuemax",
              "aria-valuenow", "aria-valuetext", "data-addr", "data-count", "data-group", "data-none", "data-over", "data-state", "data-modules", "data-plan", "data-seen", "checked", "for", "data-ran", "data-status", "data-copies", "data-severity", "data-level", "data-link", "data-run", "data-listed", "data-action", "data-drift", "data-module", "data-view", "download", "aria-hidden", "open",
              "disabled", "crossorigin", "d", "width", "height", "data-is", "data-node", "data-critical", "data-relation", "data-faint", "data-stranded"}

HOSTILE = (
    "<img src=x onerror=\"window.pwned='img'\">",
    "<script>window.pwned = 'script'</script>",
    "</title></style></td></pre></table><svg onload=\"window.pwned='svg'\"></svg>",
    "\"'><iframe srcdoc=\"<script>parent.pwned='frame'</script>\"></iframe>",
    "<a href=\"javascript:window.pwned='link'\" onclick=\"window.pwned='click'\">",
    "&lt;b&gt; &#60;b&#62; &amp;amp; ${window.pwned=1} {{window.pwned=1}} <!-- -->",
    "\u001b[2J\u001b[31m\u001b]0;gone\u0007 \u009b31m",
    "\u202eright to left \u2066isolated",
    "\u2028 \u2029 \u0085 \ufeff \r \t \n \u00a0  two",
    "nul \u0000 nul",
    "\U0001f600 ü \ufffd",
    "__proto__", "constructor", "toString", "1", "", " ",
)


class as_written(str):
    """A number of a JSON text, digit by digit: one lost in the page is to show."""


def exact(text):
    return json.loads(text, parse_int=as_written, parse_float=as_written)


def json_text(value):
    """As JSON.stringify writes it, but for numbers."""
    if isinstance(value, as_written):
        return str(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join(json.dumps(key, ensure_ascii=False) + ":" + json_text(each) for key, each in value.items())
    if isinstance(value, list):
        return "[%s]" % ",".join(map(json_text, value))
    return json.dumps(value, ensure_ascii=False)


def attribute_picture(known):
    if not known:
        return ["", ""]
    kind = [known.get("value_type", "block")] + [flag for flag in ("required", "sensitive") if flag in known]
    said = ["%s (%s)" % (known["path"], ", ".join(kind)), known.get("description", "")]
    if "default" in known:
        said.append("default " + json_text(known["default"]))
    said += ["validator " + each for each in known.get("validators", [])]
    if "replacement" in known:
        said.append("a change %s replacement" % {"certain": "requires", "possible": "may require"}[known["replacement"]])
    if "deprecated" in known:
        said.append("deprecated: " + known["deprecated"])
    return said


def diagnostic_picture(row):
    snippet = row["snippet"] or {}
    code = snippet.get("code")
    drawn = "path" in snippet  # lines that the file does not have
    if drawn and not code:
        code = None
    marked = numbers = []
    if code is not None:
        numbers = [] if drawn else [str(int(snippet["start_line"]) + i) for i in range(code.count("\n") + 1)]
        raw = code.encode()
        begin, end = (min(max(int(snippet["highlight_%s_offset" % side]), 0), len(raw)) for side in ("start", "end"))
        # An offset within a character takes all of it in.
        while 0 < begin < len(raw) and raw[begin] & 0xc0 == 0x80:
            begin -= 1
        end = max(end, begin) if int(snippet["highlight_end_offset"]) >= int(snippet["highlight_start_offset"]) else min(begin + 1, len(raw))
        while end < len(raw) and raw[end] & 0xc0 == 0x80:
            end += 1
        marked = [part for part in raw[begin:end].decode().split("\n") if part]
    return {
        "severity": row["severity"], "summary": row["summary"], "address": row["address"] or "", "detail": row["detail"],
        "file": "%s line %s" % (row["range"]["filename"], row["range"]["start"]["line"]) if row["range"] else "",
        "context": snippet.get("path", snippet.get("context") or "") if row["range"] else "",
        "of_test": "in %s%s" % (row["test_file"], ", run " + row["test_run"] if row["test_run"] else "") if row["test_file"] else "",
        "numbers": numbers, "source": [] if code is None else code.split("\n"), "marked": marked,
        "values": ["%s %s" % (value["traversal"], value["statement"]) for value in sorted(snippet.get("values", []), key=lambda value: value["traversal"])],
        "attribute": attribute_picture(row["attribute"]),
    }


def sort_key(one):
    return json.dumps(one, sort_keys=True)


def picture_of(state):
    """What the page should show of such rows. A page that comes late has them in another order: they are sorted."""
    run, = state["run"].values()
    name = run["stack"] or run["key"]
    done, total = run["progress"]["done"], run["progress"]["total"]
    progress = "" if total == "0" else total + " planned" if run["command"] == "plan" else done + "/" + total
    failures = run["counts"].get("failed") or run["diagnostics"]["error"]
    mark = "" if failures == "0" or run["status"] == "succeeded" else "✗ " + failures
    mark = mark or {"succeeded": "✓", "failed": "✗", "interrupted": "!", "lost": "?", "unknown": "?"}.get(run["status"], "")
    heading = run["command"] if run["command"] != "other" else "failed before planning:" if run["status"] == "failed" else "run"
    diagnostics = [diagnostic_picture(row) for row in state.get("diagnostic", {}).values()]
    tests = [("test_file", "path"), ("test_run", "name")]
    return {
        "title": " ".join(filter(None, [" · ".join(filter(None, [mark, progress])), name])), "heading": heading + " " + name,
        "status": "failing" if run["status"] == "running" and run["counts"].get("failed") else run["status"], "progress": progress,
        "resources": sorted([row["status"], key, row["activity"] or "", row["id"]["value"] if row["id"] else ""]
                            for key, row in state.get("resource", {}).items()),
        "diagnostics": sorted(diagnostics, key=sort_key),
        "outputs": sorted([key, "(sensitive)" if row["sensitive"] else json_text(row["value"]) if "value" in row else ""]
                          for key, row in state.get("output", {}).items()),
        "messages": [row["text"] for row in state.get("message", {}).values()],
        "tests": sorted(TEST_SAID.get(row["status"], row["status"]) + " " + row[name] for kind, name in tests for row in state.get(kind, {}).values()),
    }


def message(**fields):
    """A UI message."""
    return json.dumps({"@level": "info", "@message": "-", "@module": "tofu.ui", **fields}, separators=(",", ":")).encode() + b"\n"


def stamped(second, **fields):
    stamp = "2026-11-21T05:00:%02d.%06dZ" % divmod(second, 1)
    return message(**{"@timestamp": stamp, **fields})


VERSION = stamped(0, type="version", tofu="1.12.6", ui="1.2")


def about(address, **fields):
    return {"resource": {"addr": address, "module": "", "resource": address, "implied_provider": "terraform",
                         "resource_type": "terraform_data", "resource_name": "x", "resource_key": address}, **fields}


def hostile_run():
    """(messages while everything runs, messages to the end): all that a configuration, a provider or a program may say."""
    address = {text: "terraform_data.x[%s]" % json.dumps(text, ensure_ascii=False) for text in HOSTILE}
    address["__proto__"], address["<img"] = "__proto__", HOSTILE[0]  # no addresses, but tofud doesn't take them apart
    begin, end = [VERSION], []
    for addr in address.values():
        begin += [stamped(1, type="planned_change", change=about(addr, action="create"))]
    begin += [stamped(2, type="change_summary", changes={"add": len(address), "change": 0, "remove": 0, "operation": "plan"})]
    for text, addr in address.items():
        begin += [stamped(3, type="apply_start", hook=about(addr, action="create")),
                  stamped(3, type="provision_start", hook=about(addr, provisioner="local-exec" + text)),
                  stamped(4, type="provision_progress", hook=about(addr, provisioner="local-exec" + text, output=text)),
                  text.encode() + b"\n",
                  stamped(4, **{"@message": text}),
                  stamped(4, type="new " + text)]
        end += [stamped(5, type="provision_complete", hook=about(addr, provisioner="local-exec" + text)),
                stamped(5, type="apply_complete", hook=about(addr, action="create", id_key="id" + text, id_value="id " + text)),
                stamped(5, type="diagnostic", diagnostic={
                    "severity": "warning" + text, "summary": "summary " + text, "detail": "detail\n" + text, "address": addr,
                    "range": {"filename": text + ".tf", "start": {"line": 1, "column": 1, "byte": 0},
                              "end": {"line": 1, "column": 9, "byte": 8}},
                    "snippet": {"context": text, "code": text, "start_line": 1, "highlight_start_offset": 0,
                                "highlight_end_offset": 1, "values": [{"traversal": text, "statement": text}]}})]
    end += [stamped(6, type="change_summary",
                    changes={"add": len(address), "change": 0, "remove": 0, "operation": "apply"}),
            stamped(7, type="outputs", outputs={text: {"sensitive": False, "type": "string", "value": [text, {text: None}]}
                                                for text in HOSTILE})]
    return b"".join(begin), b"".join(end)


class Browsing(EndToEnd):
    engine = Chromium

    @classmethod
    def setUpClass(cls):
        home = tempfile.mkdtemp(prefix="tofud-browser-")
        cls.addClassCleanup(shutil.rmtree, home, ignore_errors=True)
        cls.browser = cls.engine(home, {"HOME": home, "TMPDIR": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
        cls.addClassCleanup(cls.browser.close)

    def pipe(self, *args, **more):
        tofud = super().pipe(*args, **more)
        self.addCleanup(tofud.process.stdin.close)
        return tofud

    def daemon_of(self, *args, name="served", port=0):
        daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:%d" % port, "--no-socket", "--state-dir",
                                    os.path.join(self.home, name), *args], self.env(), stdin=subprocess.DEVNULL))
        daemon.wait_for_url()
        return daemon

    def sent(self, daemon, data, **query):
        client = http.client.HTTPConnection(daemon.address(), timeout=PATIENCE)
        client.request("PUT", "/v1/runs?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote), data)
        answer = json.loads(client.getresponse().read())
        client.close()
        return answer["run"]

    def open(self, url, query=""):
        page = self.browser.open(url + query, WITNESS)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState") == "complete", "a page")
        if "run=" not in query:  # else a tofud that ends soon would refuse one of the two
            until(lambda: page.value("document.body.dataset.listed"), "the connection that names new runs")
        return page

    def rows(self, path):
        done = subprocess.run([TOFUD, "replay", "--rows", str(path)], capture_output=True, env=self.env(), timeout=PATIENCE,
                              check=True)
        return fold(exact(line) for line in done.stdout.splitlines())[0]

    def rows_now(self, url, run="latest"):
        document = exact(get(url + "v1/runs/" + run))
        return fold([document["run"], *document["rows"]])[0]

    def picture(self, page):
        shown = page.value(PICTURE)
        shown["resources"].sort()
        shown["outputs"].sort()
        shown["tests"].sort()
        shown["diagnostics"].sort(key=sort_key)  # those of one cause stand together
        return shown

    def comes_to_show(self, page, state, old=False):
        expected = picture_of(state)
        if old:  # the title does not show the last known state as the present one
            expected["title"] = "? " + expected["title"]
        try:
            until(lambda: self.picture(page) == expected, "the page shows the rows")
        except AssertionError:
            self.assertEqual(self.picture(page), expected, page.complaints)
            raise
        for time in page.value(TIMES):
            self.assertRegex(time, r"^(|\d+ms|\d\.\ds|\d\ds|\d+m\d\ds|\d+h\d\dm)$")

    def pictures(self):
        """The folder that TOFUD_PICTURES names, else one that goes with the test: made here, since the first test of all finds none."""
        folder = pathlib.Path(os.environ.get("TOFUD_PICTURES") or os.path.join(self.home, "pictures"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def comes_to_its_end(self, page):
        until(lambda: page.value("document.getElementById('status')?.textContent") not in (None, "", "running", "failing"), "the end of the run")

    def comes_to_say(self, page, words):
        try:
            until(lambda: re.search(words, page.value(LINK)), "the page says so")
        except AssertionError:
            self.assertRegex(page.value(LINK), words, page.complaints)

    def is_in_order(self, page, cut_off=False):
        """Nothing to complain about, nothing made of data, nobody asked but the tofud it came from."""
        # History made by a script: a test has no fingers.
        complaints = [said for said in page.complaints if "NavigationEntryMarkedSkippable" not in said]
        if any("Manifest" in said for said in complaints):  # a tofud that is gone before the browser has asked for what installs the page
            complaints = [said for said in complaints if "Manifest" not in said and "ERR_CONNECTION_REFUSED" not in said]
        if cut_off:  # the browser itself says so in the console
            complaints = [said for said in complaints if not re.match("network: WebSocket connection to .* failed", said)]
        self.assertEqual(complaints, [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")
        there = page.value(MADE_OF)
        self.assertLessEqual(set(there["elements"]), ELEMENTS)
        self.assertLessEqual(set(there["attributes"]), ATTRIBUTES)
        self.assertEqual([there["elements"].count(name) for name in ONCE], [1] * len(ONCE))
        icon, *links = page.value("[...document.querySelectorAll('[href]')].map(one => one.getAttribute('href'))")
        self.assertRegex(icon, r"^data:(,|image/svg\+xml,[\w%.!~*'()-]+)$")
        links.remove("tofud.webmanifest")
        styles = [link for link in links if link.endswith(".css")]
        style = styles[0]
        self.assertRegex(style, r"^page\.[0-9a-f]{12}\.css$")
        self.assertRegex(" ".join(styles[1:]), r"^(late\.[0-9a-f]{12}\.css)?$")
        for link in set(links) - set(styles):  # within the page, a row that is too long for it, or the runs of its stack
            self.assertRegex(link, r"^((#r=|v1/runs/|v1/stream\?run=|stacks/)[\w%.!~*'()/?=&-]*|runs|wall)$")
        script = page.value("document.querySelector('script').getAttribute('src')")
        address = urllib.parse.urlsplit(page.requests[0]).netloc
        # An open detail asks what is known of earlier runs, with the script that says so.
        earlier = re.compile(r"/(late|yaml)\.[0-9a-f]{12}\.(js|css)$|/v1/history\?|/v1/runs/\w+/order$|/(tofud\.webmanifest|icon\.svg)$")
        self.assertEqual({urllib.parse.urlsplit(url)[:3] for url in page.requests if not url.startswith("data:") and not earlier.search(url)},
                         {("http", address, "/"), ("http", address, "/" + style), ("http", address, "/" + script),
                          ("ws", address, "/v1/stream")})

    def view(self, page, name):
        """Chooses a view by its tab, and waits until it is drawn."""
        page.value("document.querySelector('.views [data-view=%s]').click()" % name)
        until(lambda: page.value("document.querySelector('main').dataset.view === '%s' && ![...document.querySelectorAll('main .note')].some(one => one.textContent === 'loading')" % name), name)

    def menu(self, page):
        until(lambda: page.value("Boolean(document.getElementById('more'))"), "a page")
        page.value("document.getElementById('more').open = true")
        until(lambda: page.value("document.querySelectorAll('#about summary').length"), "what is in the menu")

    def has_taken(self, tofud, data):
        """All that was written is in the rows."""
        def taken():
            lines = [run["lines"] for run in json.loads(get(tofud.url + "v1/runs"))["runs"]]
            return sum(each["messages"] + each["text"] for each in lines) == data.count(b"\n")
        until(taken, "the rows of what was written")

    def worker(self, tofud):
        return until(lambda: children(tofud.process.pid), "a worker")[0]
