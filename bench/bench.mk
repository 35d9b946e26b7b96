# SPDX-License-Identifier: GPL-3.0-or-later
# bench      speed, as rates and ratios; REF=FOLDER: on its traces
# correlate  the sampler against the points in REF=FOLDER; rewrites
#            bench/correlate*.txt, .csv and .svg (CORRELATE_ARGS: its options)
# correlate-hardware  kernels measured on a V100 (REF=FOLDER), from their PTX
#            (PTX=FOLDER), beside ours; rewrites bench/hardware_launches.txt and
#            .csv (HARDWARE_ARGS: its options)
#            With PROGRAMS=FOLDER the kernels are launched by the programs there
#            (bench/hardware_programs.sh); rewrites bench/hardware_programs.txt
#            and .csv
# random     the sampler against bench/random_points.csv: what the reference
#            says of the traces of bench/random_traces.py on the configurations
#            in REF=FOLDER; rewrites bench/random.txt
# accuracy   the estimates against full detail, which is kept, in four random
#            draws, at grids of many waves (rows) and of programs of today
#            (bench/programs); rewrites bench/accuracy.txt (ACCURACY_ARGS:
#            options; --run 1: first run the points whose detail is not kept, an
#            hour or more)
# explain    what explain says that changes would do against full detail, which
#            is kept; rewrites bench/explain.txt and .csv (EXPLAIN_ARGS: options)
# explorations  hybrid explorations against full detail (EXPLORATIONS_ARGS:
#            options, kernels); rewrites bench/explorations.txt and .csv
# fit        a bundled GPU's keys fitted to the points in REF=FOLDER; rewrites
#            bench/fit_reference.txt (FIT_ARGS: configuration, GPU, keys)
# representatives  what --representatives costs in accuracy, on kernel lists of
#            small applications; rewrites bench/representatives.txt
# fit-hardware  the V100's launch and memory keys fitted to kernels measured on
#            one (REF=FOLDER) from their PTX (PTX=FOLDER), by the model; rewrites
#            bench/fit_hardware.txt
# streams    streams of memory beside RRZE-HPC/gpu-benches' measurements of six
#            boards, in full detail (some minutes); rewrites bench/streams.txt
# program-speed  how fast CUDA programs are executed, and what estimates add, by
#            nvcc; rewrites bench/program_speed.txt
# suite      the kernels of bench/hardware/suite beside what was measured on a
#            GPU (SUITE_GPU=h200), launched by `run` (nvcc needed); rewrites
#            bench/suite.txt, and suite_h100.txt with SUITE_GPU=h100-sxm
# hardware   the microbenchmarks in bench/hardware, built with nvcc and run
# ptx        the PTX of the examples anew from their CUDA sources, by nvcc

REF            ?=
CORRELATE_ARGS ?= --out bench/correlate
PTX            ?=
PROGRAMS       ?=
HARDWARE_ARGS  ?= --out bench/hardware_launches
NVCC_ARCH      ?= native
CUDA_SRC       := $(sort $(wildcard bench/hardware/*.cu))
BENCH_SRC      := $(sort $(wildcard bench/*.c))
BENCHES        := $(patsubst %,$(BUILD)/bench/%,accuracy correlate \
                  explain hardware_launches launch_files model_rate parallel speed)
CSV_OBJ        := $(BUILD)/bench/correlate_csv.o $(BUILD)/cli/table_file.o \
                  $(BUILD)/cli/error.o
CORRELATE_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/correlate_*.c)) \
                  $(CSV_OBJ) $(BUILD)/cli/agreement.o $(CHART_OBJ)
ACCURACY_OBJ   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/accuracy_*.c))
# Of all that decides what full detail says.
DETAIL_HASH     = $(shell git ls-files base kernels configs sampler | \
                  grep -v '\.md$$' | LC_ALL=C sort | \
                  xargs cat bench/random_traces.py bench/programs/* | \
                  sha256sum | cut -c1-16)

.PHONY: bench correlate correlate-hardware random accuracy explain explorations \
    fit fit-hardware representatives streams program-speed suite hardware ptx \
    found-nvcc

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

$(BUILD)/bench/correlate: $(CORRELATE_OBJ)

$(BUILD)/bench/hardware_launches: $(BUILD)/bench/launches.o $(CSV_OBJ) \
    $(BUILD)/cli/agreement.o

$(BUILD)/bench/launch_files: $(BUILD)/bench/launches.o $(CSV_OBJ)

$(BUILD)/bench/accuracy: $(ACCURACY_OBJ) $(BUILD)/bench/series.o $(CSV_OBJ)

EXPLAIN_OBJ    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/explain_*.c))

$(BUILD)/bench/explain: $(EXPLAIN_OBJ) $(ACCURACY_OBJ) $(BUILD)/bench/series.o \
    $(CSV_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(CHART_OBJ)
$(BUILD)/bench/explain: LDLIBS += $(CLI_LIBS)

$(BUILD)/bench/speed: $(BUILD)/bench/speed_reference.o $(CORRELATE_OBJ)

bench: $(BUILD)/bench/speed $(BUILD)/bench/parallel $(BUILD)/bench/model_rate
	$(V)mkdir -p $(BUILD)/reference
	$(V)$(BUILD)/bench/speed --work $(BUILD)/reference $(REF)
	$(V)$(BUILD)/bench/parallel
	$(V)$(BUILD)/bench/model_rate

correlate: $(BUILD)/bench/correlate
	$(V)mkdir -p $(BUILD)/reference
	$(V)$< --work $(BUILD)/reference $(CORRELATE_ARGS) $(REF)

ifeq ($(PROGRAMS),)
correlate-hardware: $(BUILD)/bench/hardware_launches
	$(V)mkdir -p $(BUILD)/reference
	$(V)$< --work $(BUILD)/reference $(HARDWARE_ARGS) --ptx "$(PTX)" $(REF)
else
correlate-hardware: all
	$(V)OUT=bench/hardware_programs.csv bench/hardware_programs.sh "$(REF)" \
	    "$(PROGRAMS)" | tee bench/hardware_programs.txt
endif

random: $(BUILD)/bench/correlate
	$(V)mkdir -p $(BUILD)/random/real
	$(V)ln -sfn $(abspath $(REF))/configs $(BUILD)/random/configs
	$(V)cp bench/random_points.csv $(BUILD)/random/accelsim.csv
	$(V)python3 bench/random_traces.py --points bench/random_points.csv \
	    $(BUILD)/random/real
	$(V)$< --work $(BUILD)/random --out $(BUILD)/random/points \
	    $(BUILD)/random
	$(V)sed '/^thousand /,$$d' $(BUILD)/random/points.txt >bench/random.txt

explorations: $(BUILD)/estimate
	$(V)python3 bench/explorations.py $< --csv bench/explorations.csv \
	    $(EXPLORATIONS_ARGS) >bench/explorations.txt

fit: $(BUILD)/estimate
	$(V)python3 bench/fit_reference.py $< "$(REF)" $(BUILD)/reference \
	    $(FIT_ARGS) >bench/fit_reference.txt

# Of the keys those that the model tells from one profile a kernel.
FIT_KEYS := launch.kernel_cycles,launch.block_cycles,dram.gbps,dram.latency

fit-hardware: $(BUILD)/estimate $(BUILD)/bench/launch_files
	$(V)mkdir -p $(BUILD)/fit
	$(V)$(BUILD)/bench/launch_files $(REF)/v100_ncu.csv "$(abspath $(PTX))" \
	    gv100.cfg $(abspath $(BUILD)/fit)
	$(V)cp bench/gv100.cfg $(BUILD)/fit
	$(V)cd $(BUILD)/fit && $(abspath $(BUILD)/estimate) calibrate --mode model \
	    --against points.csv --fit $(FIT_KEYS) >$(CURDIR)/bench/fit_hardware.txt

representatives: $(BUILD)/estimate
	$(V)python3 bench/representatives.py $< $(BUILD)/lists \
	    >bench/representatives.txt

ACCURACY_DRAWS := $(patsubst %,bench/accuracy_%.csv,points others large afresh)
RUN_ACCURACY    = $(BUILD)/bench/accuracy --sources $(DETAIL_HASH) \
                  --traces $(BUILD)/accuracy

accuracy: $(BUILD)/bench/accuracy
	$(V)mkdir -p $(BUILD)/accuracy
	$(V)python3 bench/random_traces.py $(BUILD)/accuracy \
	    $$(grep -ho '^trace:[a-z0-9_]*' bench/accuracy_points.csv | \
	    sort -u | cut -d: -f2)
	$(V)$(RUN_ACCURACY) $(ACCURACY_DRAWS:%=--points %) $(ACCURACY_ARGS) \
	    >bench/accuracy.txt.tmp
	$(V)for table in rows programs; do \
	    echo && $(RUN_ACCURACY) --points bench/accuracy_$$table.csv \
	        $(ACCURACY_ARGS) || exit 1; done >>bench/accuracy.txt.tmp
	$(V)mv bench/accuracy.txt.tmp bench/accuracy.txt
	$(V)cat bench/accuracy.txt

program-speed: all
	$(V)bench/program_speed.sh | tee bench/program_speed.txt

streams: $(BUILD)/estimate
	$(V)python3 bench/streams.py $< | tee bench/streams.txt

explain: $(BUILD)/bench/explain
	$(V)$< $(EXPLAIN_ARGS) >bench/explain.txt.tmp
	$(V)mv bench/explain.txt.tmp bench/explain.txt
	$(V)cat bench/explain.txt

found-nvcc:
	$(V)command -v "$(NVCC)" >/dev/null || { \
	    echo 'found no nvcc, expected that of the CUDA toolkit' >&2; exit 1; }

hardware: found-nvcc
	$(V)$(SUBMAKE) $(BUILD)/hardware/micro
	$(V)$(BUILD)/hardware/micro >$(BUILD)/hardware/micro.csv

$(BUILD)/hardware/micro: $(CUDA_SRC) bench/hardware/micro.cuh \
    bench/hardware/device.cuh
	@mkdir -p $(@D)
	@echo "NVCC $@"
	$(V)$(NVCC) -std=c++17 -O3 -arch=$(NVCC_ARCH) -o $@ $(CUDA_SRC)

SUITE_SRC := $(sort $(wildcard bench/hardware/suite/*.cu))
SUITE_GPU ?= h200
# The board's form is no part of the table's name; the H200's has the plain one.
SUITE_BOARD = $(patsubst %-sxm,%,$(SUITE_GPU))
SUITE_TXT = bench/suite$(if $(filter-out h200,$(SUITE_BOARD)),_$(SUITE_BOARD)).txt

suite: $(BUILD)/estimate found-nvcc
	$(V)$(SUBMAKE) $(BUILD)/hardware/suite
	$(V)python3 bench/suite.py compare $< $(BUILD)/hardware/suite \
	    bench/hardware/suite_$(SUITE_BOARD).csv $(SUITE_GPU) $(SUITE_ARGS) \
	    | tee $(SUITE_TXT)

$(BUILD)/hardware/suite: $(SUITE_SRC) bench/hardware/suite/suite.cuh \
    bench/hardware/device.cuh
	@mkdir -p $(@D)
	@echo "NVCC $@"
	$(V)$(NVCC) -std=c++17 -O3 -cudart shared -gencode \
	    arch=compute_90,code=[sm_90,compute_90] -o $@ $(SUITE_SRC)

ptx: found-nvcc
	$(V)cd kernels/bundled/ptx && for f in *.cu; do \
	    $(NVCC) -ptx -arch=sm_75 -o "$${f%.cu}.ptx" "$$f" || exit 1; done

-include $(BENCH_SRC:%.c=$(BUILD)/%.d)
