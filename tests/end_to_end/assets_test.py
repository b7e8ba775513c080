#!/usr/bin/python3
"""The page over HTTP: compressed or not, kept or asked for again, and under which policy."""
import gzip
import http.client
import re
import unittest

from binary import PATIENCE, EndToEnd, recorded_path


class Assets(EndToEnd):
    def setUp(self):
        super().setUp()
        self.tofud = self.replay(recorded_path("apply-slow-progress"))

    def ask(self, path, method="GET", **headers):
        client = http.client.HTTPConnection(self.tofud.address(), timeout=PATIENCE)
        self.addCleanup(client.close)
        client.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read()

    def loaded(self):
        _, _, html = self.ask("/")
        return ["/" + name for name in re.findall(r'(?:src|href)="(page\.[0-9a-f]{12}\.(?:js|css))"', html.decode())]

    def test_assets_are_there_and_cached_for_ever(self):
        paths = self.loaded()
        self.assertEqual(sorted(path[-3:] for path in paths), [".js", "css"])
        for path in paths:
            status, head, _ = self.ask(path)
            self.assertEqual(status, 200)
            self.assertEqual(head["Cache-Control"], "public, max-age=31536000, immutable")
            self.assertRegex(head["Content-Type"], "^text/(javascript|css); charset=utf-8$")
        self.assertEqual(self.ask("/")[1]["Cache-Control"], "no-cache")
        self.assertEqual(self.ask(re.sub("[0-9a-f]{12}", "0" * 12, paths[0]))[0], 404)
        self.assertIn(b"preact", self.ask("/LICENSES.txt")[2])

    def test_assets_are_compressed_on_request(self):
        for path in ["/", "/LICENSES.txt", *self.loaded()]:
            _, _, plain = self.ask(path)
            for accepted, zipped in (("gzip", True), ("br, gzip;q=0.5", True), ("deflate,GZIP", True), ("gzip;q=0", False),
                                     ("gzip; q=0.000", False), ("br", False), ("xgzip", False), ("", False), ("*", False)):
                with self.subTest(path, accepted=accepted):
                    _, head, body = self.ask(path, Accept_Encoding=accepted)
                    self.assertEqual(head["Content-Encoding"], "gzip" if zipped else None)
                    self.assertEqual(gzip.decompress(body) if zipped else body, plain)
                    self.assertEqual(head["Vary"], "Accept-Encoding")
                    self.assertEqual(int(head["Content-Length"]), len(body))

    def test_the_first_paint_is_at_most_40_kib(self):
        sizes = [len(self.ask(path, Accept_Encoding="gzip")[2]) for path in ["/", *self.loaded()]]
        self.assertLessEqual(sum(sizes), 40 * 1024)

    def test_a_cached_asset_is_not_sent_again(self):
        for path in ["/", *self.loaded()]:
            for accepted in ("gzip", ""):
                _, head, _ = self.ask(path, Accept_Encoding=accepted)
                self.assertRegex(head["ETag"], '^"[^"]+"$')  # a strong one
                self.assertEqual(self.ask(path, Accept_Encoding=accepted, If_None_Match=head["ETag"])[::2], (304, b""))
        tags = {self.ask("/", Accept_Encoding=accepted)[1]["ETag"] for accepted in ("gzip", "")}
        self.assertEqual(len(tags), 2)

    def test_the_policy_names_this_server_as_the_browser_asked_for_it(self):
        port = self.tofud.port()
        for host in ("127.0.0.1:%d" % port, "localhost:%d" % port):
            for path in ["/", "/LICENSES.txt", *self.loaded()]:
                _, head, _ = self.ask(path, Host=host)
                self.assertEqual(head["Content-Security-Policy"],
                                 "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws://%s; "
                                 "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                                 "require-trusted-types-for 'script'; trusted-types 'none'" % host)
                self.assertEqual(head["X-Content-Type-Options"], "nosniff")
                self.assertEqual(head["Cross-Origin-Resource-Policy"], "same-origin")
                self.assertEqual(head["Referrer-Policy"], "no-referrer")
        self.assertEqual(self.ask("/", Host="tofud.example; script-src *")[0], 421)

    def test_head_has_no_body(self):
        for path in ["/", *self.loaded()]:
            _, head, body = self.ask(path, method="HEAD")
            self.assertEqual(body, b"")
            self.assertEqual(int(head["Content-Length"]), len(self.ask(path)[2]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
