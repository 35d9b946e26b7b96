# SPDX-License-Identifier: GPL-3.0-or-later
# all        the program, the static and the shared library
# demo       install what is missing, build, run the main job
# check      install what is missing, build with sanitizers, run every test
# bench      speed, as rates and ratios; REF=FOLDER: on its traces
# correlate  the sampler against the points in REF=FOLDER; rewrites
#            bench/correlate*.txt, .csv and .svg (CORRELATE_ARGS: its options)
# hardware   the microbenchmarks in bench/hardware, built with nvcc and run
# accuracy   the estimates against full detail; rewrites bench/accuracy.csv
# paper-signs  what the papers claim of signs and exact figures, and whether it
#            holds; PAPER_ARGS=--full: on their grids in full
# paper      the same as paper-signs --full
# ptx        the PTX of the examples anew from their CUDA sources, by nvcc
# fuzz       mutated PTX for FUZZ_SECONDS under clang's libFuzzer and sanitizers;
#            what it finds is left in build/fuzz
# install    under PREFIX; format, format-check, lint, clean as they say

VERSION := $(shell cat VERSION)
REVISION := $(shell git rev-parse --short HEAD 2>/dev/null)
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wpedantic $(if $(WERROR),-Werror)
PKGS    := gsl libconfig sqlite3 liblzma
BUILD   ?= build
V       ?= @

PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS))
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -I. -Iinclude $(WARN) -fopenmp \
             -fPIC -fvisibility=hidden -DESTIMATE_VERSION='"$(VERSION)"' $(PKG_CFLAGS) $(CFLAGS)
LDLIBS     = $(PKG_LIBS) -lm -fopenmp

LIB_SRC  := $(shell find base kernels configs sampler model calib -name '*.c' | LC_ALL=C sort)
CLI_SRC  := $(sort $(wildcard cli/*.c))
TEST_SRC := $(sort $(wildcard tests/test_*.c))
BENCH_SRC := $(sort $(wildcard bench/*.c))
DATA     := $(sort $(wildcard kernels/bundled/*.kernel configs/*.cfg) \
              $(wildcard kernels/bundled/ptx/*.ptx kernels/bundled/ptx/*.launch)) \
            kernels/bundled/default.list
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/bundled.o
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)
TESTS    := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)
CORRELATE_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/correlate_*.c))
PAPER_SRC := $(sort $(wildcard paper_repro/*.c))
PAPERS   := paws perfsat kaws cawa ikra
BENCHES  := $(BENCH_SRC:bench/%.c=$(BUILD)/bench/%)

.PHONY: all demo check run-tests bench correlate accuracy paper paper-signs \
        ptx fuzz install format format-check lint clean
.SECONDARY:

all: estimate libestimate.a libestimate.so

estimate: $(BUILD)/estimate
	$(V)cp -f --remove-destination $< $@

$(BUILD)/estimate: $(CLI_OBJ) $(BUILD)/libestimate.a
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

libestimate.a: $(BUILD)/libestimate.a
	$(V)cp $< $@

$(BUILD)/libestimate.a: $(LIB_OBJ)
	@echo "AR $@"
	$(V)rm -f $@ && ar rcs $@ $^

libestimate.so: $(LIB_OBJ)
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -shared -Wl,-soname,libestimate.so.0 -o $@ $^ $(LDLIBS)

$(BUILD)/bundled.c: base/embed.sh $(DATA)
	@mkdir -p $(@D)
	$(V)sh base/embed.sh $(DATA) >$@.tmp && mv $@.tmp $@

$(BUILD)/bundled.o: $(BUILD)/bundled.c
	$(V)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "CC $<"
	$(V)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/cli/version.o: $(wildcard .git/logs/HEAD) VERSION
$(BUILD)/cli/version.o: ALL_CFLAGS += \
    $(if $(REVISION),-DESTIMATE_REVISION='"$(REVISION)"')

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
	    $(shell pkg-config --libs check) $(LDLIBS)

$(BUILD)/tests/test_cli: $(filter-out %/main.o,$(CLI_OBJ))

$(BUILD)/tests/test_claims: $(BUILD)/paper_repro/claim.o \
    $(BUILD)/paper_repro/figures.o

$(BUILD)/bench/correlate $(BUILD)/tests/test_correlate: \
    $(CORRELATE_OBJ) $(BUILD)/bench/scatter.o

$(BUILD)/bench/accuracy: $(BUILD)/bench/accuracy_kept.o \
    $(BUILD)/bench/series.o

$(BUILD)/bench/speed: $(BUILD)/bench/speed_reference.o $(CORRELATE_OBJ) \
    $(BUILD)/bench/scatter.o

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

$(PAPERS:%=$(BUILD)/paper_repro/%): $(BUILD)/paper_repro/%: \
    $(BUILD)/paper_repro/%.o $(BUILD)/paper_repro/claim.o \
    $(BUILD)/paper_repro/lab.o $(BUILD)/paper_repro/figures.o \
    $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# ---- what one types --------------------------------------------------------

JOBS := $(shell nproc 2>/dev/null || echo 2)
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

demo:
	$(V)./setup.sh
	$(V)$(MAKE) --no-print-directory -j$(JOBS) all
	./estimate --sweep tb=1..8 --sched all

check:
	$(V)./setup.sh
	$(V)$(MAKE) --no-print-directory -j$(JOBS) all
	$(V)$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/check WERROR=1 \
	    CFLAGS='$(SANITIZE)' run-tests

run-tests: $(TESTS) $(BUILD)/estimate
	$(V)export CK_DEFAULT_TIMEOUT=300 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0; failed=0; \
	for t in $(TESTS); do $$t || failed=1; done; \
	ESTIMATE=$(abspath $(BUILD)/estimate) sh tests/cli/run.sh || failed=1; \
	exit $$failed

bench: $(BUILD)/bench/speed $(BUILD)/bench/parallel $(BUILD)/bench/model_rate
	$(V)mkdir -p $(BUILD)/reference
	$(V)$(BUILD)/bench/speed --work $(BUILD)/reference $(REF)
	$(V)$(BUILD)/bench/parallel
	$(V)$(BUILD)/bench/model_rate

REF ?=
CORRELATE_ARGS ?= --out bench/correlate

correlate: $(BUILD)/bench/correlate
	$(V)mkdir -p $(BUILD)/reference
	$(V)$< --work $(BUILD)/reference $(CORRELATE_ARGS) $(REF)

NVCC      ?= $(firstword $(shell command -v nvcc 2>/dev/null) \
                 $(wildcard /usr/local/cuda/bin/nvcc))
NVCC_ARCH ?= native
CUDA_SRC  := $(sort $(wildcard bench/hardware/*.cu))

hardware:
	$(V)[ -n "$(NVCC)" ] || { \
	    echo 'hardware: found no nvcc, expected that of the CUDA toolkit' >&2; \
	    exit 1; }
	$(V)$(MAKE) --no-print-directory $(BUILD)/hardware/micro
	$(V)$(BUILD)/hardware/micro >$(BUILD)/hardware/micro.csv

$(BUILD)/hardware/micro: $(CUDA_SRC) bench/hardware/micro.cuh
	@mkdir -p $(@D)
	@echo "NVCC $@"
	$(V)$(NVCC) -std=c++17 -O3 -arch=$(NVCC_ARCH) -o $@ $(CUDA_SRC)

accuracy: $(BUILD)/bench/accuracy
	$(V)$< $(ACCURACY_ARGS)

PAPER_ARGS ?= --quick

paper-signs: $(PAPERS:%=$(BUILD)/paper_repro/%)
	$(V)for p in $^; do $$p $(PAPER_ARGS) || exit 1; done | \
	    awk '{ print; fflush() } \
	         / hold, / { papers++; held += $$2; rows += $$4; unjudged += $$6 } \
	         END { printf "all: %d of %d hold, %d not yet judged\n", \
	               held, rows, unjudged; exit papers != $(words $^) }'

paper:
	$(V)$(MAKE) --no-print-directory paper-signs PAPER_ARGS=--full

NVCC ?= nvcc

ptx:
	$(V)command -v $(NVCC) >/dev/null || { echo "$(NVCC): not found" >&2; exit 1; }
	$(V)cd kernels/bundled/ptx && for f in *.cu; do \
	    $(NVCC) -ptx -arch=sm_75 -o "$${f%.cu}.ptx" "$$f" || exit 1; done

FUZZ_SECONDS ?= 300
FUZZ_LIB := $(filter %/error.o %/base/stop.o $(BUILD)/kernels/%,$(LIB_OBJ)) \
            $(BUILD)/bundled.o

fuzz:
	$(V)$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang \
	    CFLAGS='$(SANITIZE) -fsanitize=fuzzer-no-link' build/fuzz/fuzz_ptx
	$(V)mkdir -p build/fuzz/corpus
	$(V)grep -oh '[.%]*[a-z][a-z0-9_]*' kernels/bundled/ptx/*.ptx \
	    tests/ptx/*.ptx | sort -u | \
	    sed 's/.*/"&"/' >build/fuzz/words
	$(V)build/fuzz/fuzz_ptx -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	    -rss_limit_mb=2048 -max_len=20000 -only_ascii=1 -dict=build/fuzz/words \
	    -artifact_prefix=build/fuzz/ -print_final_stats=1 -verbosity=0 \
	    build/fuzz/corpus tests/ptx kernels/bundled/ptx

$(BUILD)/fuzz_ptx: $(BUILD)/tests/fuzz_ptx.o $(FUZZ_LIB)
	$(V)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS) -lm -pthread

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/share/man/man1
	install estimate $(DESTDIR)$(PREFIX)/bin
	install -m 644 include/estimate.h $(DESTDIR)$(PREFIX)/include
	install -m 644 libestimate.a $(DESTDIR)$(PREFIX)/lib
	install libestimate.so $(DESTDIR)$(PREFIX)/lib/libestimate.so.0
	ln -sf libestimate.so.0 $(DESTDIR)$(PREFIX)/lib/libestimate.so
	sed 's|@PREFIX@|$(PREFIX)|;s|@VERSION@|$(VERSION)|' estimate.pc.in \
	    >$(DESTDIR)$(PREFIX)/lib/pkgconfig/estimate.pc
	install -m 644 man/estimate.1 $(DESTDIR)$(PREFIX)/share/man/man1

FORMATTED = $(shell git ls-files '*.c' '*.h')

format:
	clang-format -i $(FORMATTED)

format-check:
	clang-format --dry-run -Werror $(FORMATTED)

lint:
	$(V)for f in $(LIB_SRC) $(CLI_SRC); do \
	    clang-tidy --quiet $$f -- $(ALL_CFLAGS) || exit 1; done
	shellcheck setup.sh base/embed.sh .ci/run tests/cli/run.sh

clean:
	rm -rf build estimate libestimate.a libestimate.so

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_SRC:%.c=$(BUILD)/%.d) \
    $(BUILD)/tests/fuzz_ptx.d \
    $(BENCH_SRC:%.c=$(BUILD)/%.d) $(PAPER_SRC:%.c=$(BUILD)/%.d)
