# SPDX-License-Identifier: GPL-3.0-or-later
# cuda       the CUDA runtime that `estimate run` puts before a program, under
#            the names that versions 11 to 13 have
# list-cuda  the functions of the interface that it has

CUDA_SRC := $(sort $(wildcard cuda/*.c))
CUDA_OBJ := $(CUDA_SRC:%.c=$(BUILD)/%.o)
CUDA_VERSIONS := 11.0 12 13
CUDA_LIB := $(CUDA_VERSIONS:%=$(BUILD)/cuda/libcudart.so.%)
CUDA_DEV := $(CUDA_VERSIONS:%=$(BUILD)/cuda/device-%.o)
CUDA_PKGS := liblz4 libzstd

.PHONY: cuda list-cuda
all: cuda
cuda: $(CUDA_LIB)

$(BUILD)/cuda/%.o: ALL_CFLAGS += $(shell pkg-config --cflags $(CUDA_PKGS)) \
    -Wno-missing-prototypes

# The layout of what a program is told of the device goes by the version.
$(CUDA_DEV): $(BUILD)/cuda/device-%.o: cuda/device.c
	@mkdir -p $(@D)
	@echo "CC $< $*"
	$(V)$(CC) $(ALL_CFLAGS) -DCUDA_RUNTIME_VERSION=$(basename $*)000 -MMD -MP \
	    -c -o $@ $<

# Every symbol has the version that is the library's own name.
$(CUDA_LIB): $(BUILD)/cuda/libcudart.so.%: $(BUILD)/cuda/device-%.o \
    $(filter-out %/device.o,$(CUDA_OBJ)) $(BUILD)/libestimate.o
	@echo "LD $@"
	$(V)echo 'libcudart.so.$* { global: cuda*; __cuda*; local: *; };' >$@.map
	$(V)$(CC) $(CFLAGS) -shared -Wl,-soname,libcudart.so.$* \
	    -Wl,--version-script=$@.map -o $@ $^ \
	    $(shell pkg-config --libs $(CUDA_PKGS)) $(LDLIBS)

list-cuda: $(BUILD)/cuda/libcudart.so.13
	$(V)nm -D --defined-only $< | sed -n 's/.* T \(cuda[A-Za-z0-9_]*\).*/\1/p' | \
	    grep -vxF "$$(sed -n 's/^MISSING(\(.*\))/\1/p' cuda/missing.h)"

-include $(CUDA_OBJ:%.o=%.d) $(CUDA_DEV:%.o=%.d)
