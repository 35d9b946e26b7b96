# SPDX-License-Identifier: GPL-3.0-or-later
# paper-signs  what the papers claim of signs and exact figures, and whether it
#              holds; PAPER_ARGS=--full: on their grids in full
# paper        the same as paper-signs --full

PAPERS     := paws perfsat kaws cawa ikra
PAPER_SRC  := $(sort $(wildcard paper_repro/*.c))
PAPER_ARGS ?= --quick

.PHONY: paper paper-signs

$(PAPERS:%=$(BUILD)/paper_repro/%): $(BUILD)/paper_repro/%: \
    $(BUILD)/paper_repro/%.o $(BUILD)/paper_repro/claim.o \
    $(BUILD)/paper_repro/lab.o $(BUILD)/paper_repro/figures.o \
    $(BUILD)/paper_repro/tables.o $(BUILD)/libestimate.a
	$(V)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

paper-signs: $(PAPERS:%=$(BUILD)/paper_repro/%)
	$(V)for p in $^; do $$p $(PAPER_ARGS) || exit 1; done | \
	    awk '{ print; fflush() } \
	         / hold, / { papers++; held += $$2; rows += $$4; unjudged += $$6 } \
	         END { printf "all: %d of %d hold, %d not yet judged\n", \
	               held, rows, unjudged; exit papers != $(words $^) }'

paper:
	$(V)$(SUBMAKE) paper-signs PAPER_ARGS=--full

-include $(PAPER_SRC:%.c=$(BUILD)/%.d)
