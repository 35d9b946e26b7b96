# SPDX-License-Identifier: GPL-3.0-or-later
# cuda       the CUDA runtime that `estimate run` puts before a program, under
#            the names that versions 11 to 13 have
# list-cuda  the functions of the interface that it has

CUDART_SRC := $(sort $(wildcard cuda/*.c))
CUDART_OBJ := $(CUDART_SRC:%.c=$(BUILD)/%.o)
CUDART_VERSIONS := 11.0 12 13
CUDART_LIB := $(CUDART_VERSIONS:%=$(BUILD)/cuda/libcudart.so.%)
CUDART_DEV := $(CUDART_VERSIONS:%=$(BUILD)/cuda/device-%.o)
CUDART_PKGS := liblz4 libzstd

.PHONY: cuda list-cuda
all: cuda
cuda: $(CUDART_LIB)

$(BUILD)/cuda/%.o: ALL_CFLAGS += $(shell pkg-config --cflags $(CUDART_PKGS))

# The layout of what a program is told of the device goes by the version.
$(CUDART_DEV): $(BUILD)/cuda/device-%.o: cuda/device.c
	@mkdir -p $(@D)
	@echo "CC $< $*"
	$(V)$(CC) $(ALL_CFLAGS) -DCUDA_RUNTIME_VERSION=$(basename $*)000 -MMD -MP \
	    -c -o $@ $<

# What programs whose threads have a default stream each call instead.
CUDART_ALIASES := $(shell sed 's/\(.*\)_pt[a-z]*/-Wl,--defsym=&=\1/' \
                    cuda/per_thread.names)

# Every symbol has the version that is the library's own name.
$(CUDART_LIB): $(BUILD)/cuda/libcudart.so.%: $(BUILD)/cuda/device-%.o \
    $(filter-out %/device.o,$(CUDART_OBJ)) $(BUILD)/libestimate.o \
    cuda/per_thread.names
	@echo "LD $@"
	$(V)echo 'libcudart.so.$* { global: cuda*; __cuda*; local: *; };' >$@.map
	$(V)$(CC) $(CFLAGS) -shared -Wl,-soname,libcudart.so.$* \
	    -Wl,--version-script=$@.map $(CUDART_ALIASES) -o $@ $(filter %.o,$^) \
	    $(shell pkg-config --libs $(CUDART_PKGS)) $(LDLIBS)

list-cuda: $(BUILD)/cuda/libcudart.so.13
	$(V)nm -D --defined-only $< | sed -n 's/.* T \(cuda[A-Za-z0-9_]*\).*/\1/p' | \
	    grep -vxF "$$(sed -n 's/^MISSING(\(.*\))/\1/p' cuda/missing.h)"

-include $(CUDART_OBJ:%.o=%.d) $(CUDART_DEV:%.o=%.d)
