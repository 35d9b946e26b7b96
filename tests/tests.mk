# SPDX-License-Identifier: GPL-3.0-or-later
# check      install what is missing, build with sanitizers, run every test
# everything the program, tests, benchmarks and papers, under BUILD
# run-tests  the tests alone, of what is built there
# check-page pages of the program in Chromium; pictures and prints of them are
#            left in build/pages
# check-kills  a stored sweep killed 100 times (some minutes)
# fuzz       every parser for FUZZ_SECONDS under clang's libFuzzer and sanitizers;
#            what it finds is left in build/fuzz/found
# fuzz-NAME  one of them, of those in tests/fuzz/corpus
# tsan       calls and sweeps of several threads under ThreadSanitizer, by clang

, := ,
TEST_SRC := $(sort $(wildcard tests/test_*.c))
TESTS    := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)
SANITIZE := -O1 -g -fsanitize=address,undefined,float-cast-overflow \
            -fno-sanitize-recover=all

.PHONY: check check-kills check-page everything run-tests tsan run-tsan

check:
	$(V)./setup.sh
	$(V)$(SUBMAKE) -j$(JOBS) all
	$(V)$(SUBMAKE) -j$(JOBS) BUILD=build/check WERROR=1 CFLAGS='$(SANITIZE)' \
	    everything
	$(V)$(SUBMAKE) BUILD=build/check WERROR=1 CFLAGS='$(SANITIZE)' run-tests

everything: $(BUILD)/estimate $(CUDART_OBJ) $(TESTS) $(BENCHES) $(BUILD)/paper_repro/paper

run-tests: $(TESTS) $(BUILD)/estimate $(MPI_PKG:%=$(BUILD)/estimate-mpi)
	$(V)ESTIMATE=$(BUILD)/estimate ESTIMATE_MPI=$(BUILD)/estimate-mpi OBJECTS=$(BUILD) tests/run.sh $(TESTS)

check-kills: estimate
	$(V)KILLS=100 tests/kills.sh

check-page: estimate
	$(V)tests/page/check.sh $(BUILD)/pages

ifeq ($(BUILD),build)
run-tests: all
endif

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %/libpaper.a,$^) \
	    $(filter-out %/libpaper.a,$(filter %.a,$^)) \
	    $(shell pkg-config --libs check) $(LDLIBS)

$(BUILD)/tests/test_cli $(BUILD)/tests/test_designs: $(filter-out %/main.o,$(CLI_OBJ)) $(CHART_OBJ)
$(BUILD)/tests/test_cli $(BUILD)/tests/test_designs: LDLIBS += $(CLI_LIBS)

$(BUILD)/tests/test_chart: $(CHART_OBJ)

CUDA_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_cuda_*.c))
$(CUDA_TESTS): $(CUDART_OBJ)
$(CUDA_TESTS): LDLIBS += $(shell pkg-config --libs $(CUDART_PKGS))

PAPER_TESTS := $(patsubst tests/%.c,%,$(wildcard tests/test_paper_*.c))
$(PAPER_TESTS:%=$(BUILD)/tests/%): $(BUILD)/paper_repro/libpaper.a
$(BUILD)/tests/test_paper_claims: LDLIBS += -Wl,--wrap=lab_record

$(BUILD)/tests/test_bundled_kernels: $(BUILD)/paper_repro/tables.o

$(BUILD)/tests/test_correlate: $(CORRELATE_OBJ) $(BUILD)/bench/launches.o

# Whose failures it counts down to.
$(BUILD)/tests/test_no_memory: LDLIBS += $(addprefix -Wl$(,)--wrap=,malloc \
    calloc realloc aligned_alloc strdup strndup open_memstream \
    gsl_vector_alloc gsl_matrix_alloc gsl_matrix_calloc gsl_qrng_alloc \
    gsl_multimin_fminimizer_alloc gsl_multifit_nlinear_alloc)

# ---- threads ---------------------------------------------------------------

# LLVM's OpenMP tells ThreadSanitizer by way of libarcher what its own locks and
# barriers order; without (as with GCC's) every loop would look like a race.
tsan:
	$(V)$(SUBMAKE) -j$(JOBS) BUILD=build/tsan CC=clang \
	    CFLAGS='-O1 -g -fsanitize=thread' run-tsan

run-tsan: $(BUILD)/tests/test_threads $(BUILD)/tests/test_calib_study \
    $(BUILD)/estimate
	$(V)export CK_DEFAULT_TIMEOUT=600 OMP_TOOL_LIBRARIES=$$($(CC) -print-resource-dir)/../../libarcher.so \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1; \
	for run in $(filter %/test_threads %/test_calib_study,$^) \
	    '$(BUILD)/estimate nn ptx-spmv --no-cache --sweep tb=1..3 --sched all -j4' \
	    '$(BUILD)/estimate simulate nn --grid 32 --sweep tb=1..3 --sched all -j4' \
	    '$(BUILD)/estimate --mode model --sweep tb=1..8 --sched all -j4'; do \
	    echo "tsan: $$run" && $$run >/dev/null || exit 1; done

# ---- fuzzing ---------------------------------------------------------------

FUZZ_SECONDS ?= 300
FUZZ_NAMES   := $(notdir $(wildcard tests/fuzz/corpus/*))
FUZZ_SRC     := $(filter-out %/entry.c %/ptx_words.c,$(wildcard tests/fuzz/*.c))
FUZZ_OBJ     := $(FUZZ_SRC:%.c=$(BUILD)/%.o) $(CSV_OBJ) \
                $(BUILD)/bench/accuracy_points.o
FUZZ_LENGTH  := 8192

# What else to start from.
seeds-gpu    := configs
seeds-kernel := kernels/bundled
seeds-launch := tests/ptx kernels/bundled/ptx
seeds-ptx    := tests/ptx kernels/bundled/ptx
seeds-trace  := tests/traces

.PHONY: fuzz $(FUZZ_NAMES:%=fuzz-%)

fuzz: $(FUZZ_NAMES:%=fuzz-%)

fuzz-%: seeds = $(wildcard tests/fuzz/corpus/$* tests/fuzz/found/$*) $(seeds-$*)
fuzz-ptx: FUZZ_LENGTH := 20000

$(FUZZ_NAMES:%=fuzz-%): fuzz-%:
	$(V)$(SUBMAKE) -j$(JOBS) BUILD=build/fuzz CC=clang \
	    CFLAGS='$(SANITIZE) -fsanitize=fuzzer-no-link' build/fuzz/fuzz_$*
	$(V)mkdir -p build/fuzz/corpus/$* build/fuzz/found/$*
	$(V)grep -raohE '[.%]*[A-Za-z][A-Za-z0-9_]{2,}' $(seeds) | LC_ALL=C \
	    sort -u | sed 's/.*/"&"/' >build/fuzz/$*.words
	$(V)ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=512 \
	    LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 \
	    build/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	    -malloc_limit_mb=0 -rss_limit_mb=2048 -max_len=$(FUZZ_LENGTH) \
	    -dict=build/fuzz/$*.words -artifact_prefix=build/fuzz/found/$*/ \
	    -print_final_stats=1 -verbosity=0 build/fuzz/corpus/$* $(seeds)

$(BUILD)/fuzz_ptx: $(BUILD)/tests/fuzz/ptx_words.o

$(FUZZ_NAMES:%=$(BUILD)/fuzz_%): $(BUILD)/fuzz_%: \
    $(BUILD)/tests/fuzz/entry_%.o $(FUZZ_OBJ) $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) \
	    $(filter %.a,$^) $(LDLIBS)

$(BUILD)/tests/fuzz/entry_%.o: tests/fuzz/entry.c tests/fuzz/fuzz.h
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) -DFUZZ=fuzz_$* -c -o $@ $<

$(BUILD)/tests/test_fuzz: $(FUZZ_OBJ)

-include $(TEST_SRC:%.c=$(BUILD)/%.d) $(FUZZ_SRC:%.c=$(BUILD)/%.d)
