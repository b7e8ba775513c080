"""What both browsers have in common: a program of their own that ends with the tests, and a socket on which it is asked from a thread of its own."""
import asyncio
import itertools
import json
import os
import signal
import subprocess
import threading

import websockets  # Debian's python3-websockets

from binary import PATIENCE, until


class Driver:
    """Subclasses say where the program listens (`address`), what it says by itself (`heard`), and how it is told to end (`end`)."""

    def __init__(self, argv, env, said):
        self._pages, self._answers, self._ids, self._said = {}, {}, itertools.count(1), said
        with open(said, "wb") as log:
            # It ends with this process, however this one ends.
            self._process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *argv], env=env, start_new_session=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._socket = self._run(self._connect(until(self._address_of_it, "a browser")))
            self.begin()
        except BaseException:
            self.close()
            raise

    def address(self):
        """None until the program listens."""
        raise NotImplementedError

    def begin(self):
        """What is asked before everything else."""

    def heard(self, said):
        """What it says that is no answer."""
        raise NotImplementedError

    def end(self):
        raise NotImplementedError

    def _address_of_it(self):
        if self._process.poll() is not None:
            with open(self._said, errors="replace") as said:
                raise AssertionError("the browser has ended: " + said.read()[-2000:])
        return self.address()

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    async def _connect(self, url):
        socket = await websockets.connect(url, max_size=None, compression=None, ping_interval=None)
        self._reading = asyncio.ensure_future(self._read(socket))
        return socket

    async def _read(self, socket):
        try:
            async for text in socket:
                said = json.loads(text)
                if "id" in said:
                    self._answers.pop(said["id"]).set_result(said)
                else:
                    self.heard(said)
        except websockets.ConnectionClosed:
            pass
        for waiting in self._answers.values():
            waiting.set_exception(AssertionError("the browser is gone"))

    def ask(self, method, **more):
        """The answer, whatever it is; `more` are members beside `params`."""
        asked = {"id": next(self._ids), "method": method, **more}

        async def wait():
            self._answers[asked["id"]] = self._loop.create_future()
            await self._socket.send(json.dumps(asked))
            return await self._answers[asked["id"]]

        return self._run(wait())

    def close(self):
        try:
            self.end()
            self._process.wait(PATIENCE)
        except Exception:  # it may have no connection, or be gone
            pass
        finally:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self._process.wait()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
