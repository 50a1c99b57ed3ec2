# SPDX-License-Identifier: Apache-2.0
# One variant of the C tests; called by ctest.sh with VARIANT, FLAGS and TESTS. Every *_test.c and
# *_program.c of src/test/c becomes a program, linked with all of src/main/c but jni and the
# launcher's main; the launcher itself is built alike.

CC ?= gcc
VERSION := $(shell sed -n "/<version>/{s| *<version>\(.*\)</version>|\1|p;q}" pom.xml)
OUT := target/ctest/$(VARIANT)
CFLAGS := -std=gnu11 -D_GNU_SOURCE= -DHAYATE_VERSION=$(VERSION) \
	-g -Wall -Wextra -Werror -fvisibility=hidden -fPIC -fno-omit-frame-pointer $(FLAGS) \
	-Isrc/main/c -Isrc/main/c/include -Isrc/test/c
LIBS := -lcmocka -lpthread -ldl -lm

MAIN := $(shell find src/main/c -name '*.c' -not -path 'src/main/c/jni/*' | LC_ALL=C sort)
LAUNCH := $(filter src/main/c/launch/%,$(MAIN))
LAUNCH_MAIN := $(if $(LAUNCH),$(shell grep -lw '^int main' $(LAUNCH)))
BASE := $(filter src/main/c/base/% src/main/c/boot/%,$(MAIN))
HELPERS := $(shell find src/test/c -name '*.c' -not -name '*_test.c' -not -name '*_program.c')
PROGRAMS := $(TESTS) $(shell find src/test/c -name '*_program.c')

object = $(patsubst %.c,$(OUT)/o/%.o,$(1))
program = $(patsubst src/test/c/%.c,$(OUT)/bin/%,$(1))
LINKED := $(call object,$(filter-out $(LAUNCH_MAIN),$(MAIN)) $(HELPERS))
BINARIES := $(call program,$(PROGRAMS))
LAUNCHER := $(if $(LAUNCH_MAIN),$(OUT)/hayate-run)

all: $(BINARIES) $(LAUNCHER)

$(OUT)/o/%.o: %.c scripts/ctest.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/bin/%: $(OUT)/o/src/test/c/%.o $(LINKED)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

$(OUT)/hayate-run: $(call object,$(BASE) $(LAUNCH))
	$(CC) $(CFLAGS) $^ -o $@ -lpthread -ldl

.SECONDARY:
.PHONY: all
-include $(shell find $(OUT)/o -name '*.d' 2>/dev/null)
