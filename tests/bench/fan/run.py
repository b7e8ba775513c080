#!/usr/bin/python3
"""Run fanbench for every load and server, one JSON line per run, then print the tables.

    run.py --bin build/release/tests/bench/fan --tofud build/release/daemon/tofud
    run.py --bin ... --loads 1000x0,idle:1000 --servers nats,raw --repeats 3 --out fan.jsonl

A load is SUBSxRATE (rate 0: flat out, closed loop), idle:SUBS, late:HISTORY, stall:SUBSxRATE or
calm:SUBSxRATE (what stall is to be compared with: nobody stalls).
Servers take turns inside a load, so that what else the machine does falls on all of them.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import table

HERE = os.path.dirname(os.path.abspath(__file__))
LOADS = "1000x0,100x1000,idle:10000,calm:10x5000,stall:10x5000"
SERVERS = "tofud,uws,nats,nchan,raw,raw-chunk"
UWEBSOCKETS = os.path.abspath(os.path.join(HERE, "../../../build/uwebsockets/libuwebsockets.so"))
PROGRAMS = {"nats": "/usr/sbin/nats-server", "nchan": "/usr/lib/nginx/modules/ngx_nchan_module.so", "uws": UWEBSOCKETS}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, metavar="DIR", help="folder of fanbench and rawfan")
    parser.add_argument("--tofud", metavar="FILE", help="the daemon; without it the server tofud is left out")
    parser.add_argument("--loads", default=LOADS, help="default %(default)s")
    parser.add_argument("--servers", default=SERVERS, help="default %(default)s")
    parser.add_argument("--repeats", type=int, default=1, metavar="N")
    parser.add_argument("--seconds", type=float, default=5, metavar="S", help="length of a run (stall: three times that)")
    parser.add_argument("--out", metavar="FILE", help="append the JSON lines here")
    return parser.parse_args()


def within_descriptors(subs):
    """A run needs a descriptor per subscriber on both sides; more than the hard limit allows can't be asked for."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    allowed = subs if hard == resource.RLIM_INFINITY else min(subs, hard - 200)
    if allowed < subs:
        print("fan: %d subscribers instead of %d, the hard limit of open files is %d" % (allowed, subs, hard))
    return allowed


def options(load, seconds):
    kind, _, rest = load.partition(":") if ":" in load else ("fan", "", load)
    if kind == "idle":
        return ["--mode", "idle", "--subs", str(within_descriptors(int(rest)))]
    if kind == "late":
        return ["--mode", "late", "--history", rest]
    subs, rate = rest.split("x")
    length = 3 * seconds if kind in ("stall", "calm") else seconds
    return ["--mode", "fan" if kind == "calm" else kind, "--subs", str(within_descriptors(int(subs))), "--rate", rate, "--secs", str(length), "--warmup", "0.7"]


def pointless(server, load):
    """rawfan writes to blocking sockets: with one that never reads it stands still for good."""
    return server.startswith("raw") and load.startswith("stall:")


def available(server, args):
    if server.startswith("tofud") and not (args.tofud and os.access(args.tofud, os.X_OK)):
        return "no daemon at %s" % args.tofud
    if server in PROGRAMS and not os.path.exists(PROGRAMS[server]):
        return "%s is not installed" % PROGRAMS[server]
    return None


def measure(server, load, args, scratch):
    log = os.path.join(scratch, "%s.log" % server)
    environment = dict(os.environ, FANBENCH_DIR=HERE, BIN=os.path.abspath(args.bin), SCRATCH=scratch)
    environment.pop("CI", None)  # tofud does not listen by itself under CI
    environment["UWS_LIBRARY"] = UWEBSOCKETS
    environment["XDG_STATE_HOME"] = os.path.join(scratch, "state")
    environment["XDG_RUNTIME_DIR"] = os.path.join(scratch, "runtime")
    if args.tofud:
        environment["TOFUD"] = os.path.abspath(args.tofud)
    command = [os.path.join(args.bin, "fanbench"), "--adapter", server, "--log", log] + options(load, args.seconds)
    try:
        done = subprocess.run(command, env=environment, cwd=scratch, capture_output=True, text=True, timeout=180)
        result, trouble = json.loads(done.stdout.strip().split("\n")[-1]), done.stderr.strip()
    except subprocess.TimeoutExpired:
        result, trouble = {"failed": True}, "no result within 180 s"
    except ValueError:
        result, trouble = {"failed": True}, done.stderr.strip()
    if result.get("failed") and os.path.exists(log):
        with open(log, errors="replace") as lines:
            trouble += "\n" + "".join(lines.readlines()[-5:])
    result.update(adapter=server, load=load, at=round(time.time()))
    if trouble:
        result["stderr"] = trouble[:600]
        print("fan: %s %s: %s" % (server, load, trouble), file=sys.stderr)
    return result


def main():
    args = arguments()
    args.bin = os.path.abspath(args.bin)
    loads, servers = args.loads.split(","), []
    for server in args.servers.split(","):
        reason = available(server, args)
        if reason:
            print("fan: leaving out %s: %s" % (server, reason))
        else:
            servers.append(server)
    results = []
    scratch = tempfile.mkdtemp(prefix="fanbench-")
    os.chmod(scratch, 0o755)  # nginx workers drop their rights and still need to get in
    os.mkdir(os.path.join(scratch, "runtime"), 0o700)
    try:
        for repeat in range(args.repeats):
            for load in loads:
                for server in servers:
                    if pointless(server, load):
                        continue
                    print("fan: %s, %s" % (load, server), file=sys.stderr, flush=True)
                    result = dict(measure(server, load, args, scratch), repeat=repeat)
                    results.append(result)
                    if args.out:
                        with open(args.out, "a") as out:
                            out.write(json.dumps(result) + "\n")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    table.show(results)
    return 1 if any(result.get("failed") for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
