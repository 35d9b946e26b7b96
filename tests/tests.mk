# SPDX-License-Identifier: GPL-3.0-or-later
# check      install what is missing, build with sanitizers, run every test
# run-tests  the tests alone, of what is built under BUILD
# fuzz       mutated PTX for FUZZ_SECONDS under clang's libFuzzer and sanitizers;
#            what it finds is left in build/fuzz

TEST_SRC := $(sort $(wildcard tests/test_*.c))
TESTS    := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: check run-tests fuzz

check:
	$(V)./setup.sh
	$(V)$(SUBMAKE) -j$(JOBS) all
	$(V)$(SUBMAKE) -j$(JOBS) BUILD=build/check WERROR=1 CFLAGS='$(SANITIZE)' \
	    run-tests

run-tests: $(TESTS) $(BUILD)/estimate
	$(V)ESTIMATE=$(BUILD)/estimate OBJECTS=$(BUILD) tests/run.sh $(TESTS)

ifeq ($(BUILD),build)
run-tests: all
endif

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
	    $(shell pkg-config --libs check) $(LDLIBS)

$(BUILD)/tests/test_cli: $(filter-out %/main.o,$(CLI_OBJ))

$(BUILD)/tests/test_claims: $(BUILD)/paper_repro/claim.o \
    $(BUILD)/paper_repro/figures.o

$(BUILD)/tests/test_bundled_kernels: $(BUILD)/paper_repro/tables.o

$(BUILD)/tests/test_correlate: $(CORRELATE_OBJ)

FUZZ_SECONDS ?= 300
FUZZ_LIB := $(filter %/error.o %/base/stop.o $(BUILD)/kernels/%,$(LIB_OBJ)) \
            $(BUILD)/bundled.o

fuzz:
	$(V)$(SUBMAKE) BUILD=build/fuzz CC=clang \
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

-include $(TEST_SRC:%.c=$(BUILD)/%.d) $(BUILD)/tests/fuzz_ptx.d
