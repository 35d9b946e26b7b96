# SPDX-License-Identifier: GPL-3.0-or-later
# Targets: all demo check bench accuracy install format lint clean

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
             -fPIC -DESTIMATE_VERSION='"$(VERSION)"' $(PKG_CFLAGS) $(CFLAGS)
LDLIBS     = $(PKG_LIBS) -lm -fopenmp

LIB_DIRS := base kernels configs sampler sampler/warp sampler/block \
            sampler/cache model calib
LIB_SRC  := $(sort $(wildcard $(LIB_DIRS:%=%/*.c)))
CLI_SRC  := $(sort $(wildcard cli/*.c))
TEST_SRC := $(sort $(wildcard tests/test_*.c))
BENCH_SRC := $(sort $(wildcard bench/*.c))
DATA     := $(sort $(wildcard kernels/*.kernel configs/*.cfg))
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/bundled.o
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)
TESTS    := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)
BENCHES  := $(BENCH_SRC:bench/%.c=$(BUILD)/bench/%)

.PHONY: all demo check setup tests bench accuracy install format lint clean
.SECONDARY:

all: estimate libestimate.a libestimate.so

estimate: $(BUILD)/estimate
	$(V)cp $< $@

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

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

clean:
	rm -rf build estimate libestimate.a libestimate.so estimate.pc

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_SRC:%.c=$(BUILD)/%.d)
