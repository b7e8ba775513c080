# What CI does, anyone can repeat with one word. Two compilers at a time: a file with Beast in it takes up to 3 GB with sanitizers.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help program install demo demo-cluster test pictures bench goals instructions bench-build lint format conformance asan tsan soak long fuzz page package-arm64 dist dist-arm64 arm64-test dist-test real package package-test clean

PYTHON := /usr/bin/python3
RECORDING ?= tests/recordings/apply-slow-progress
SPEED ?= 1
PREFIX ?= /usr/local
LOADS ?= 1000x0,100x1000,idle:10000,calm:10x5000,stall:10x5000
SERVERS ?= tofud,uws,nats,nchan,raw,raw-chunk
REPEATS ?= 1
PAGE_SECONDS ?= 60
SEARCH ?= 60
MINUTES ?= 60
LEAVE ?= browser|end_to_end

# The targets of tests/fuzz.
fuzzed := json stream request diagnostic http redact config web_token upload provider_schemas specification native_config json_config order plan state faults client attachment forward nats recovery websocket whole_stream

# Four at a time: who starts programs waits most of the time.
ctest := ctest --no-tests=error -j 4 --preset
sources := find protocol daemon tests packaging -name '*.cpp' -o -name '*.hpp'
# Programs of a preset whose path in the build folder matches.
programs = ninja -C build/$(1) -t targets all | sed -nE 's@^($(2)): CXX_EXECUTABLE_LINKER.*@\1@p'

fan := $(PYTHON) tests/bench/fan/run.py --bin build/release/tests/bench/fan --tofud build/release/daemon/tofud
goals_table := $(PYTHON) tests/bench/goals.py build/bench-results.jsonl build/bench-fan.jsonl
benched := TOFUD=$(CURDIR)/build/release/daemon/tofud TOFUD_BENCH_RESULTS=$(CURDIR)/build/bench-results.jsonl

# 0: only what was found before.
search = $(if $(filter 0,$(SEARCH)),-runs=0,-max_total_time=$(SEARCH))

help:  ## this text
	@echo 'tofud: make TARGET'
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

program:  ## tofud as it ships, build/release/daemon/tofud
	.ci/install build
	cmake --preset release -DTOFUD_TESTS=OFF -DTOFUD_BENCH=OFF >/dev/null
	cmake --build --preset release --target tofud

install:  ## builds tofud and installs it below PREFIX= (/usr/local): program, man pages, completions, units
	.ci/install build
	cmake --preset release -DTOFUD_TESTS=OFF -DTOFUD_BENCH=OFF -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)) >/dev/null
	cmake --build --preset release --target tofud tofud_documents
	cmake --install build/release

demo:  ## builds tofud and plays a recorded apply into it (RECORDING=, SPEED=)
	.ci/install build demo
	$(MAKE) --no-print-directory program
	@echo
	@echo '$(notdir $(RECORDING)), as OpenTofu printed it:'
	@$(PYTHON) tests/tools/replay.py --now --speed $(SPEED) $(RECORDING) | build/release/daemon/tofud $(if $(CI),--listen 127.0.0.1:8638)

demo-cluster:  ## three daemons as one behind nginx, one after the other killed while a recorded apply is sent to them (RECORDING=, SPEED=)
	.ci/install build test
	$(MAKE) --no-print-directory program
	@$(PYTHON) tests/tools/demo_cluster.py --speed $(SPEED) $(RECORDING)

test:  ## builds tofud with sanitizers and as it ships, and runs every test: from inside the first, from outside the second
	.ci/install build test
	$(MAKE) --no-print-directory program
	cmake --preset asan
	cmake --build --preset asan
	$(ctest) asan

asan:  ## tests from outside with the tofud that has the sanitizers (LEAVE=: labels of tests that are left out)
	.ci/install build test
	cmake --preset asan -DTOFUD_RELEASE=
	cmake --build --preset asan
	$(ctest) asan -LE '$(LEAVE)'

long:  ## what takes hours: all but the browser under the sanitizers, 200 rounds of SIGKILL, 300 blows to a cluster, a long search, conformance, a soak, the benches
	$(MAKE) asan LEAVE=browser
	$(MAKE) --no-print-directory program
	TOFUD_KILL_ROUNDS=200 TOFUD=build/release/daemon/tofud $(PYTHON) tests/end_to_end/kill_test.py
	TOFUD_LONG=1 TOFUD=build/release/daemon/tofud $(PYTHON) tests/end_to_end/cluster_test.py
	TOFUD_CHAOS_RUNS=400 TOFUD_CHAOS_BLOWS=300 TOFUD=build/release/daemon/tofud $(PYTHON) tests/end_to_end/cluster_chaos_test.py
	$(MAKE) fuzz SEARCH=600
	$(MAKE) conformance
	$(MAKE) soak MINUTES=120
	$(MAKE) bench
	$(MAKE) bench-build
	packaging/reproduced
	$(MAKE) arm64-test

tsan:  ## the tests of what has threads (keeper, reader) and of the line splitter with the thread sanitizer
	.ci/install build test
	.ci/tsan

goals:  ## the table of goals, from the programs that measure them beside uWebSockets, nats-server, jq and Go; half an hour, and nothing else should run meanwhile
	.ci/install build test bench
	cmake --preset release -DTOFUD_TESTS=ON -DTOFUD_BENCH=ON
	cmake --build --preset release --target tofud $$($(call programs,release,tests/bench/fan/.*))
	.ci/uwebsockets
	rm -f build/bench-results.jsonl build/bench-fan.jsonl
	for program in way_in large_runs starts large_plan "many_viewers rows" "many_viewers runs"; do set -- $$program; $(benched) $(PYTHON) tests/bench/$$1.py $${2:-}; done
	$(fan) --loads 1x0,1x20,1000x0,1000x1000,idle:10000 --servers tofud,uws,nats --repeats $(REPEATS) --out build/bench-fan.jsonl
	$(fan) --loads 100x1000,10x5000 --servers tofud-at-once,tofud,uws --repeats $(REPEATS) --out build/bench-fan.jsonl
	$(goals_table)

bench: goals  ## those, Google Benchmark programs, the run page under a large apply (PAGE_SECONDS=), the fan matrix beside nchan and bare sockets, too (LOADS=, SERVERS=, REPEATS=), daemons that share runs
	cmake --build --preset release --target $$($(call programs,release,tests/bench/[^:/]*))
	for program in build/release/tests/bench/*_bench; do if [ -x "$$program" ]; then "$$program"; fi; done
	for view in overview waterfall; do $(PYTHON) tests/bench/page/run.py --tofud build/release/daemon/tofud --seconds $(PAGE_SECONDS) --view $$view; done
	$(PYTHON) tests/bench/page/moments.py --tofud build/release/daemon/tofud
	$(fan) --loads $(LOADS) --servers $(SERVERS) --repeats $(REPEATS)
	$(benched) $(PYTHON) tests/bench/cluster.py
	$(goals_table)

instructions:  ## how many instructions parse, redact, fold and encode take, beside their records (.ci/instructions build/release --write)
	.ci/install build test
	cmake --preset release -DTOFUD_TESTS=ON -DTOFUD_BENCH=ON >/dev/null
	cmake --build --preset release --target path_instructions
	.ci/instructions build/release

pictures:  ## every view of five recordings at five widths in both themes, into build/pictures, for somebody to look at
	.ci/install build test
	$(MAKE) --no-print-directory program
	TOFUD=build/release/daemon/tofud TOFUD_PATIENCE=40 $(PYTHON) tests/browser/all_pictures.py build/pictures

bench-build:  ## how long tofud takes to build, cold and after one change; nothing else should run meanwhile
	.ci/install build test bench
	tests/bench/build.py --cold-tests

soak:  ## a daemon under mixed load for MINUTES= (60): memory, descriptors and index stay flat; drawn in build/soak
	.ci/install build test
	$(MAKE) --no-print-directory program
	TOFUD=build/release/daemon/tofud TOFUD_SOAK_MINUTES=$(MINUTES) TOFUD_SOAK_OUT=build/soak $(PYTHON) tests/load/soak_test.py

conformance:  ## the suites nobody here wrote (tests with the label conformance)
	.ci/install build test
	cmake --preset dev
	cmake --build --preset dev
	$(ctest) dev -C conformance -L conformance

fuzz:  ## searches for inputs that break the path of a message or of a request (SEARCH= seconds each)
	.ci/install build test fuzz
	cmake --preset fuzz
	cmake --build build/fuzz -j 2 --target $(addsuffix _fuzz,$(fuzzed))
	mkdir -p $(addprefix build/fuzz/found/,$(fuzzed))
	printf '%s\n' $(fuzzed) | xargs -P 2 -I NAME env build/fuzz/tests/fuzz/NAME_fuzz $(search) -max_len=16384 \
	  -artifact_prefix=build/fuzz/found/NAME- build/fuzz/found/NAME tests/fuzz/corpus/NAME

dist:  ## the files of a release in build/dist: a tarball for any Linux with glibc 2.34, RPM, OCI image, symbols, bill of materials, sums
	.ci/install build demo dist
	cmake --preset portable >/dev/null
	cmake --build --preset portable --target tofud tofud_documents
	packaging/dist

dist-arm64: dist  ## the same files for arm64 beside them, cross-compiled
	.ci/install arm64
	packaging/arm64/sysroot
	cmake --preset portable-arm64 >/dev/null
	cmake --build --preset portable-arm64 --target tofud tofud_documents
	packaging/dist arm64

arm64-test:  ## the unit tests of protocol, correlator and keeper, and a pipe, for arm64 below an emulator; needs root once
	.ci/install build arm64
	packaging/arm64/sysroot
	packaging/arm64/test

dist-test: dist  ## what is in these files; as root also: installs them into clean Debian 12 and 13 and Ubuntu 22.04, starts the image, and runs them there; runs the examples of config/ci with them
	.ci/install package
	.ci/ci-tools
	TOFUD_DIST=$(CURDIR)/build/dist $(PYTHON) tests/end_to_end/dist_test.py
	TOFUD_DIST=$(CURDIR)/build/dist $(PYTHON) tests/end_to_end/ci_files_test.py
	packaging/reproduced tofud_portable protocol_text

package:  ## the Debian package, build/package/tofud_VERSION_ARCH.deb
	.ci/install build package
	cmake --preset package
	cmake --build --preset package
	rm -f build/package/*.deb
	umask 022; cd build/package && SOURCE_DATE_EPOCH=$$(git -C ../.. log -1 --format=%ct) cpack

package-arm64: package  ## the Debian package for arm64, cross-compiled, build/package-arm64/tofud_VERSION_arm64.deb
	.ci/install arm64
	packaging/arm64/sysroot
	cmake --preset package-arm64 -DTOFUD_DEPENDS="$$(dpkg-deb -f build/package/*.deb Depends)" >/dev/null
	cmake --build --preset package-arm64
	rm -f build/package-arm64/*.deb
	umask 022; cd build/package-arm64 && SOURCE_DATE_EPOCH=$$(git -C ../.. log -1 --format=%ct) cpack

package-test: package  ## lintian; as root also: installs it into a clean Debian 12 and purges it (DEBIAN_MIRROR=)
	TOFUD_PACKAGE=$$(echo $(CURDIR)/build/package/*.deb) $(PYTHON) tests/end_to_end/package_test.py

real:  ## the OpenTofu, Terraform and Terragrunt of this machine with tofud and without: what differs is explained or a fault (SECONDS=)
	.ci/install build test
	$(MAKE) --no-print-directory program
	TOFUD=build/release/daemon/tofud $(PYTHON) tests/real/compare.py --seconds $(or $(SECONDS),900)

page:  ## checks that the committed bundle of the run page is what its sources give; needs Node.js and npm
	.ci/page

lint:  ## layers, limits, sizes, coroutines, format and clang-tidy, all findings are errors
	.ci/layers
	.ci/limits
	.ci/sizes --check
	.ci/coroutines
	.ci/strings
	.ci/install build test lint
	$(sources) | sort | xargs clang-format-14 --dry-run --Werror
	cmake --preset dev >/dev/null
	.ci/tidy --build build/dev

format:  ## lets clang-format decide
	.ci/install lint
	$(sources) | sort | xargs clang-format-14 -i

clean:  ## removes build/
	rm -rf build
