# SPDX-License-Identifier: GPL-3.0-or-later
# paper       every claim and figure of the papers, in windows of their grids:
#             paper_repro/results; PAPER_ARGS: options and papers (paper.c)
# paper-beside  the same with the second machines, estimates and intervals
# paper-full  the same on the grids in full, to paper_repro/results/full; goes on
#             where it was stopped
# paper-causes  claims that do not hold under each reading of their paper, and
#             some in quick windows and in full

PAPER_SRC  := $(sort $(wildcard paper_repro/*.c))
PAPER_OBJ  := $(PAPER_SRC:%.c=$(BUILD)/%.o)

# What decides the results of a point, besides its kernel's text and its window
# (parts.h); and of an estimate.
PAPER_DECIDES := $(filter-out base/database.%, \
                   $(sort $(shell find base kernels configs sampler \
                   -name '*.[ch]' -o -name '*.cfg') \
                   $(wildcard $(addprefix paper_repro/, \
                   simulate.[ch] scribe.[ch] reuses.[ch] record.h))))
PAPER_STUDIES := $(PAPER_DECIDES) \
                 $(sort $(shell find calib model -name '*.[ch]')) \
                 $(wildcard paper_repro/hybrid.[ch])

.PHONY: paper paper-beside paper-full paper-causes

paper: $(BUILD)/paper_repro/paper
	$(V)$< claims $(PAPER_ARGS)
	$(V)$< figures $(PAPER_ARGS)

paper-beside: $(BUILD)/paper_repro/paper
	$(V)$< claims --beside $(PAPER_ARGS)
	$(V)$< figures --beside $(PAPER_ARGS)

paper-full: $(BUILD)/paper_repro/paper
	$(V)$< claims --full $(PAPER_ARGS)
	$(V)$< figures --full $(PAPER_ARGS)

paper-causes: $(BUILD)/paper_repro/paper
	$(V)$< readings $(PAPER_ARGS)
	$(V)$< windows $(PAPER_ARGS)

# All but the main program, for tests too.
$(BUILD)/paper_repro/libpaper.a: $(filter-out %/paper.o,$(PAPER_OBJ)) \
    $(CHART_OBJ)
	$(V)rm -f $@ && ar rcs $@ $^

$(BUILD)/paper_repro/paper: $(BUILD)/paper_repro/paper.o \
    $(BUILD)/paper_repro/libpaper.a $(BUILD)/libestimate.a
	@echo "LD $@"
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/paper_repro/simulate.o: $(PAPER_STUDIES)
paper_hash = '"$(shell cat $(1) | sha256sum | cut -c 1-16)"'
$(BUILD)/paper_repro/simulate.o: ALL_CFLAGS += \
    -DPAPER_SOURCES=$(call paper_hash,$(PAPER_DECIDES)) \
    -DPAPER_STUDIES=$(call paper_hash,$(PAPER_STUDIES))

-include $(PAPER_SRC:%.c=$(BUILD)/%.d)
