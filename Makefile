# SPDX-License-Identifier: GPL-3.0-or-later
# all      the program, the static and the shared library
# demo     install what is missing, build, run the main job
# static   build/estimate-static, which needs no library where it runs
# pictures those of README.md anew, from runs
# install  under PREFIX
# MPI=1    with it: shared by the processes of an MPI job (BUILD=build/mpi keeps
#          it apart from the other)
# format   the sources, by clang-format; format-check, lint, clean as they say
# The files included at the end say at their top what else one can type: check,
# fuzz and tsan; bench, correlate, accuracy and hardware; paper.

VERSION := $(shell cat VERSION)
REVISION := $(shell git rev-parse --short HEAD 2>/dev/null)
PREFIX  ?= /usr/local
PYTHON_DIR ?= lib/python3/dist-packages
CC      ?= cc
CFLAGS  ?= -O3 -g
WARN    := -Wall -Wextra -Wpedantic $(if $(WERROR),-Werror)
PKGS    := gsl libconfig liblzma sqlite3
BUILD   ?= build
V       ?= @
JOBS    := $(shell nproc 2>/dev/null || echo 2)
NVCC    ?= $(firstword $(shell command -v nvcc 2>/dev/null) \
             $(wildcard /usr/local/cuda/bin/nvcc))
SUBMAKE := $(MAKE) --no-print-directory

PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS))
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -I. -Iinclude $(WARN) \
             -fopenmp -fPIC -fvisibility=hidden \
             -DESTIMATE_VERSION='"$(VERSION)"' $(PKG_CFLAGS) $(CFLAGS)
LDLIBS     = $(PKG_LIBS) -lm -fopenmp
# The program's alone: the C++ runtime, for its demangler. By the name that it
# has where nothing of C++ is installed for building.
CLI_LIBS  ?= -l:libstdc++.so.6
MPI_LIBS   = $(shell pkg-config --libs $(or $(MPI_PKG),ompi-c))
CLI_LIBS  += $(if $(filter 1,$(MPI)),$(MPI_LIBS))

LIB_DIRS := base kernels configs sampler model calib $(wildcard api)
LIB_SRC  := $(sort $(shell find $(LIB_DIRS) -name '*.c'))
# MPI=1: runs that the processes of an MPI job share, by Open MPI or MPICH.
MPI_PKG  := $(firstword $(foreach p,ompi-c mpich,\
              $(shell pkg-config --exists $p && echo $p)))
CLI_SRC  := $(filter-out cli/deal_$(if $(filter 1,$(MPI)),alone,mpi).c,\
              $(sort $(wildcard cli/*.c)))
CHART_SRC := $(sort $(wildcard chart/*.c))
DATA     := $(sort $(wildcard kernels/bundled/*.kernel configs/*.cfg) \
              $(wildcard kernels/bundled/ptx/*.ptx kernels/bundled/ptx/*.launch)) \
            kernels/bundled/default.list
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/bundled.o
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)
CHART_OBJ := $(CHART_SRC:%.c=$(BUILD)/%.o)

.PHONY: all demo static pictures install format format-check lint clean
.SECONDARY:

all: estimate libestimate.a libestimate.so

estimate: $(BUILD)/estimate
	$(V)cp -f --remove-destination $< $@

$(BUILD)/estimate: $(CLI_OBJ) $(CHART_OBJ) $(BUILD)/libestimate.o
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(CLI_LIBS) $(LDLIBS)

$(BUILD)/cli/deal_mpi.o: ALL_CFLAGS += \
    $(shell pkg-config --cflags $(or $(MPI_PKG),ompi-c))

# For its test, whatever MPI says.
$(BUILD)/estimate-mpi: $(CLI_OBJ:%/deal_alone.o=%/deal_mpi.o) $(CHART_OBJ) \
    $(BUILD)/libestimate.o
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(CLI_LIBS) $(MPI_LIBS) $(LDLIBS)

static: $(BUILD)/estimate-static

$(BUILD)/estimate-static: $(CLI_OBJ) $(CHART_OBJ) $(BUILD)/libestimate.o
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -static -o $@ $^ -l:libstdc++.a \
	    $(shell pkg-config --static --libs $(PKGS)) -lm -fopenmp

# With every symbol: for tests and benchmarks.
$(BUILD)/libestimate.a: $(LIB_OBJ)
	@echo "AR $@"
	$(V)rm -f $@ && ar rcs $@ $^

# For programs, ours too: one object that shows the symbols of the API alone.
$(BUILD)/libestimate.o: $(LIB_OBJ)
	@echo "LD $@"
	$(V)ld -r -d -o $@.tmp $^
	$(V)objcopy --wildcard --keep-global-symbol='estimate_*' $@.tmp $@ && rm $@.tmp

libestimate.a: $(BUILD)/libestimate.o
	$(V)rm -f $@ && ar rcs $@ $<

libestimate.so: $(BUILD)/libestimate.o
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -shared -Wl,-soname,libestimate.so.0 -o $@ $< $(LDLIBS)

$(BUILD)/bundled.c: base/embed.sh $(DATA)
	@mkdir -p $(@D)
	$(V)sh base/embed.sh $(DATA) >$@.tmp && mv $@.tmp $@

$(BUILD)/bundled.o: $(BUILD)/bundled.c
	$(V)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "CC $<"
	$(V)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/base/version.o: $(wildcard .git/logs/HEAD) VERSION
$(BUILD)/base/version.o: ALL_CFLAGS += \
    $(if $(REVISION),-DESTIMATE_REVISION='"$(REVISION)"')

# Samples are kept for builds of the same sources.
SOURCES := $(sort $(shell find base kernels configs sampler model calib \
             -name '*.[ch]'))
$(BUILD)/base/version.o: $(SOURCES)
$(BUILD)/base/version.o: ALL_CFLAGS += -DESTIMATE_SOURCES='"$(shell \
    cat $(SOURCES) | sha256sum | cut -c 1-16)"'

demo:
	$(V)./setup.sh
	$(V)$(SUBMAKE) -j$(JOBS) all
	./estimate --sweep tb=1..8 --sched all

pictures: estimate
	man/pictures/make.sh

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/share/man/man1
	install estimate $(DESTDIR)$(PREFIX)/bin
	(cd include && find . -name '*.h') | while read -r h; do \
	    install -D -m 644 include/$$h $(DESTDIR)$(PREFIX)/include/$$h; done
	install -m 644 libestimate.a $(DESTDIR)$(PREFIX)/lib
	install -d $(DESTDIR)$(PREFIX)/lib/estimate
	install $(CUDART_LIB) $(DESTDIR)$(PREFIX)/lib/estimate
	install libestimate.so $(DESTDIR)$(PREFIX)/lib/libestimate.so.0
	ln -sf libestimate.so.0 $(DESTDIR)$(PREFIX)/lib/libestimate.so
	sed 's|@PREFIX@|$(PREFIX)|;s|@VERSION@|$(VERSION)|' estimate.pc.in \
	    >$(DESTDIR)$(PREFIX)/lib/pkgconfig/estimate.pc
	install -D -m 644 python/estimate.py \
	    $(DESTDIR)$(PREFIX)/$(PYTHON_DIR)/estimate.py
	install -m 644 man/estimate.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 man/results.schema.json \
	    $(DESTDIR)$(PREFIX)/share/estimate/results.schema.json
	for f in bash:bash-completion/completions/estimate \
	    zsh:zsh/site-functions/_estimate \
	    fish:fish/vendor_completions.d/estimate.fish; do \
	    to=$(DESTDIR)$(PREFIX)/share/$${f#*:}; install -d $$(dirname $$to); \
	    ./estimate completions $${f%%:*} >$$to && chmod 644 $$to; done

FORMATTED = $(shell git ls-files '*.c' '*.h')

format:
	clang-format -i $(FORMATTED)

format-check:
	clang-format --dry-run -Werror $(FORMATTED)

lint:
	$(V)printf '%s\n' $(LIB_SRC) $(CLI_SRC) $(CHART_SRC) $(CUDART_SRC) | xargs -P$(JOBS) -I{} \
	    clang-tidy --quiet {} -- $(ALL_CFLAGS) -DESTIMATE_SOURCES='""' \
	    2>/dev/null
	shellcheck -x -P SCRIPTDIR $(shell git ls-files '*.sh') .ci/run

clean:
	rm -rf build estimate libestimate.a libestimate.so

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(CHART_OBJ:.o=.d)
include cuda/cuda.mk bench/bench.mk paper_repro/paper.mk tests/tests.mk
