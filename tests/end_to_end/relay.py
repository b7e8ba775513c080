"""A proxy that nobody named to the daemon: it passes requests on and says `Via`, so that its clients have no rights, also
a process of our own user."""
import socket
import socketserver
import threading

from binary import PATIENCE


class Relay:
    """Listens at `port` (0: any) until the test ends. `to`: a port here, or (address, port). `host`: what becomes of a request's Host; None: nothing."""

    def __init__(self, case, to, port=0, host=None):
        relay = self
        self.to, self.host = to, host

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                with socket.create_connection(relay.to if isinstance(relay.to, tuple) else ("127.0.0.1", relay.to), PATIENCE) as there:
                    threading.Thread(target=copy, args=(there, self.connection), daemon=True).start()
                    try:
                        while relay.pass_on(self.rfile, there):
                            pass
                    except OSError:  # either end may go at any time
                        pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, request, client_address):
                pass

        server = Server(("127.0.0.1", port), Handler)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        case.addCleanup(server.server_close)
        case.addCleanup(server.shutdown)

    def pass_on(self, source, there):
        """One request; false at the end."""
        head = []
        while True:
            line = source.readline()
            if not line:
                return False
            head.append(line)
            if line == b"\r\n":
                break
        head.insert(1, b"Via: 1.1 relay\r\n")
        if self.host is not None:
            head = [b"Host: %s\r\n" % self.host.encode() if one.lower().startswith(b"host:") else one for one in head]
        there.sendall(b"".join(head))
        if any(one.lower().startswith(b"upgrade:") for one in head):
            copy_from(source.read1, there)
            return False
        length = next((int(one.split(b":")[1]) for one in head if one.lower().startswith(b"content-length:")), 0)
        while length:
            piece = source.read1(min(length, 65536))
            if not piece:
                return False
            there.sendall(piece)
            length -= len(piece)
        return True


def copy_from(read, target):
    while True:
        piece = read(65536)
        if not piece:
            break
        target.sendall(piece)
    target.shutdown(socket.SHUT_WR)


def copy(source, target):
    try:
        copy_from(source.recv, target)
    except OSError:
        pass
