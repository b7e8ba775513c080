"""Forges that `tofud comment` talks to: pull requests with comments and commits with statuses, in memory, over TLS, in the words of GitHub,
Gitea and GitLab. What comes may first pass a judge, such as Prism with the forge's own description."""
import http.client
import http.server
import json
import re
import ssl
import threading
import time
import urllib.parse

HEAD = "a1" * 20
MERGED = "b2" * 20
TIME = "2026-11-25T14:31:07Z"
OURS = "github-actions[bot]"


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


def user(login):
    url = "https://api.github.com/users/x"
    return {"login": login, "id": 7, "node_id": "N", "avatar_url": url, "gravatar_id": "", "url": url, "html_url": url, "followers_url": url, "following_url": url, "gists_url": url,
            "starred_url": url, "subscriptions_url": url, "organizations_url": url, "repos_url": url, "events_url": url, "received_events_url": url, "type": "Bot",
            "site_admin": False, "full_name": login, "username": login}


class Forge:
    """`kind` "github", "gitea", "gitlab". `answers`: (method, regular expression of the path) → a list of (status, headers, body) that are given
    first. `before`: a function that is called with (method, path) before anything is done."""

    def __init__(self, chain, key, kind="github"):
        self.kind, self.comments, self.statuses, self.asked, self.answers = kind, {}, [], [], []
        self.before = lambda method, path: None
        self.lock, self.next_id, self.me, self.violations, self.judge = threading.RLock(), 100, None, [], None
        self.takes = 0  # seconds for an answer
        self.hidden = OURS  # who asks, where the forge does not say so
        forge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, headers, answer = self.given(body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if status != 204:
                    self.wfile.write(answer)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

            def log_message(self, *args):
                pass

        class Plain(Handler):
            def given(self, body):
                return forge.answer(self.command, self.path, self.headers, body)

        class Front(Handler):
            def given(self, body):
                with forge.lock:
                    forge.asked.append((self.command, self.path, dict(self.headers.items()), body))
                if forge.judge is None:
                    return forge.answer(self.command, self.path, self.headers, body)
                return forge.judged(self.command, self.path, self.headers, body)

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)

        class Tls(Quiet):
            def get_request(self):
                connection, peer = super().get_request()
                return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), peer

        self.plain, self.front = Quiet(("127.0.0.1", 0), Plain), Tls(("127.0.0.1", 0), Front)
        for each in (self.plain, self.front):
            threading.Thread(target=each.serve_forever, daemon=True).start()
        self.base = {"github": "", "gitea": "/api/v1", "gitlab": "/api/v4"}[kind]
        self.url = "https://localhost:%d%s" % (self.front.server_port, self.base)

    def stop(self):
        for each in (self.plain, self.front):
            each.shutdown()
            each.server_close()

    def judged(self, method, path, headers, body):
        """By way of Prism, which asks `plain`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.judge, timeout=60)
        connection.request(method, path[len(self.base):] if self.kind == "gitea" else path, body=body or None,
                           headers={name: value for name, value in headers.items() if name.lower() not in ("host", "connection", "content-length")})
        answer = connection.getresponse()
        found, data = answer.headers["sl-violations"], answer.read()
        connection.close()
        with self.lock:
            self.violations += [(method, path, each) for each in json.loads(found or "[]") if each["location"][0] == "request"]
            if answer.headers["content-type"] == "application/problem+json":
                self.violations.append((method, path, data.decode()))
        return answer.status, {name: value for name, value in answer.headers.items() if name.lower() in ("retry-after", "content-type")}, data

    def answer(self, method, path, headers, body):
        time.sleep(self.takes)
        if self.kind == "gitea" and self.judge is not None:
            path = self.base + path
        self.before(method, path)
        with self.lock:
            for i, (wanted, pattern, given) in enumerate(self.answers):
                if wanted == method and re.search(pattern, path):
                    self.answers.pop(i)
                    return given
            status, value = self.done(method, path[len(self.base):], json.loads(body or "null"))
        return status, {"Content-Type": "application/json"}, json.dumps(value).encode()

    def done(self, method, path, body):
        where = urllib.parse.urlsplit(path)
        query = dict(urllib.parse.parse_qsl(where.query))
        if where.path == "/user":
            return (403, {"message": "Resource not accessible by integration"}) if self.me is None else (200, user(self.me))
        if re.search(r"/commits/%s/(pulls?|merge_requests)$" % MERGED, where.path):
            one = {"number": 7, "iid": 7, "merged_at": TIME}
            return 200, one if self.kind == "gitea" else [{"number": 3, "iid": 3, "merged_at": None}, one]
        if re.search(r"/commits/\w+/(pulls|merge_requests)$", where.path):
            return 200, []
        if method == "POST" and re.search(r"/statuses/\w{40}$", where.path):
            self.statuses.append((where.path.rpartition("/")[2], body))
            return 201, {"id": 1, **body, "creator": user(OURS), "created_at": TIME, "updated_at": TIME}
        many = re.search(r"^/repos/acme/infra/issues/7/comments$|^/projects/(?:12|acme%2Finfra)/merge_requests/7/notes$", where.path)
        one = re.search(r"^/repos/acme/infra/issues/comments/(\d+)$|^/projects/12/merge_requests/7/notes/(\d+)$", where.path)
        if many and method == "GET":
            page, size = int(query.get("page", 1)), int(query.get("per_page", 10 ** 6))
            all_of = [self.shown(each) for each in sorted(self.comments)]
            return 200, all_of[(page - 1) * size:page * size]
        if many and method == "POST":
            if len(body["body"]) > 65536:
                return 422, {"message": "Body is too long (maximum is 65536 characters)"}
            return 201, self.shown(self.add(self.me or self.hidden, body["body"]))
        if one:
            at = int(one[1] or one[2])
            if at not in self.comments:
                return 404, {"message": "Not Found"}
            if method == "DELETE":
                del self.comments[at]
                return 204, None
            assert method == ("PUT" if self.kind == "gitlab" else "PATCH"), method
            if len(body["body"]) > 65536:
                return 422, {"message": "Body is too long (maximum is 65536 characters)"}
            self.comments[at] = (self.comments[at][0], body["body"])
            return 200, self.shown(at)
        return 404, {"message": "Not Found"}

    def add(self, author, body):
        with self.lock:
            self.next_id += 1
            self.comments[self.next_id] = (author, body)
            return self.next_id

    def shown(self, at):
        author, body = self.comments[at]
        url = "https://forge.example.com/acme/infra/pull/7#issuecomment-%d" % at
        return {"id": at, "node_id": "N", "url": url, "html_url": url, "issue_url": url, "body": body, "user": user(author), "author": user(author), "created_at": TIME,
                "updated_at": TIME, "author_association": "NONE"}

    def job(self, **more):
        """The variables of a job of it."""
        if self.kind == "gitlab":
            return {"GITLAB_CI": "true", "CI_API_V4_URL": self.url, "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": HEAD, "GITLAB_TOKEN": "glpat-1",
                    "CI_JOB_URL": "https://gitlab.example.com/acme/infra/-/jobs/1", **more}
        return {"GITHUB_ACTIONS": "true", **({"GITEA_ACTIONS": "true"} if self.kind == "gitea" else {}), "GITHUB_API_URL": self.url, "GITHUB_REPOSITORY": "acme/infra",
                "GITHUB_REF": "refs/pull/7/merge", "GITHUB_SHA": HEAD, "GITHUB_TOKEN": "ghs_1", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": "55", **more}

    def texts(self):
        with self.lock:
            return [body for _, body in self.comments.values()]
