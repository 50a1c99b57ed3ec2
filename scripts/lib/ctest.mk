# SPDX-License-Identifier: Apache-2.0
# One variant of the C tests; called by ctest.sh with VARIANT, FLAGS and TESTS. Every *_test.c and
# *_program.c of src/test/c becomes a program, linked with all of src/main/c but jni and the
# launcher's main; the launcher itself is built alike. Every *_task.c becomes programs that tests
# start as tasks of pvas, bin/pvas/KIND/NAME for each kind of program there is (below).

CC ?= gcc
VERSION := $(shell sed -n "/<version>/{s| *<version>\(.*\)</version>|\1|p;q}" pom.xml)
OUT := target/ctest/$(VARIANT)
COMMON := -std=gnu11 -D_GNU_SOURCE= -DHAYATE_VERSION=$(VERSION) \
	-g -Wall -Wextra -Werror -Isrc/main/c -Isrc/main/c/include -Isrc/test/c \
	-iquote kernel-module -iquote src/bench/c \
	-idirafter $(JAVA_HOME)/include -idirafter $(JAVA_HOME)/include/linux \
	-idirafter /usr/lib/$(shell $(CC) -dumpmachine)/pmix2/include # Debian's, for one comparison
CFLAGS := $(COMMON) -fvisibility=hidden -fPIC -fno-omit-frame-pointer $(FLAGS)
LIBS := $(LIBS_IN:%=-L%) -lcmocka -lpthread -ldl -lm # LIBS_IN: of a cross compiler

MAIN := $(shell find src/main/c -name '*.c' -not -path 'src/main/c/jni/*' | LC_ALL=C sort)
LAUNCH := $(filter src/main/c/launch/%,$(MAIN))
LAUNCH_MAIN := $(if $(LAUNCH),$(shell grep -lw '^int main' $(LAUNCH)))
DELEGATEE_MAIN := src/main/c/delegatee/delegatee_main.c
BASE := $(filter src/main/c/base/% src/main/c/boot/% src/main/c/pvas/% \
	src/main/c/net/delegated/delegation.c,$(MAIN))
HELPERS := $(shell find src/test/c -name '*.c' -not -name '*_test.c' -not -name '*_program.c' \
	-not -name '*_task.c' -not -name '*_library.c') src/bench/c/tables.c
PROGRAMS := $(TESTS) $(shell find src/test/c -name '*_program.c')

object = $(patsubst %.c,$(OUT)/o/%.o,$(1))
program = $(patsubst src/test/c/%.c,$(OUT)/bin/%,$(1))
LINKED := $(call object,$(HELPERS)) $(OUT)/main.a # of which a program takes what it needs
BINARIES := $(call program,$(PROGRAMS))
LAUNCHER := $(if $(LAUNCH_MAIN),$(OUT)/hayate-run $(OUT)/hayate-delegatee)

# A task is plain in every variant, as the programs of others are. Those that name pvas link it.
TASKS := $(patsubst src/test/c/pvas/%_task.c,%,$(shell find src/test/c/pvas -name '*_task.c'))
SHARING := $(filter sharing%,$(TASKS)) # link the library: dynamic only, too
LOADING := $(filter loading%,$(TASKS)) # load libraries: dynamic only
ANY := $(filter-out $(SHARING) $(LOADING),$(TASKS))
MUSL := $(shell command -v musl-gcc)
TASK_FLAGS := $(COMMON) -O2
TASK_PARTS := $(patsubst %.c,$(OUT)/plain/%.o,$(filter src/main/c/base/% src/main/c/pvas/%,$(MAIN)))
TASK_PROGRAMS := $(TASKS:%=dynamic/%) $(ANY:%=static/%) fixed/life \
	$(if $(MUSL),$(ANY:%=musl/%) $(ANY:%=musl-static/%)) preload.so
cc.dynamic := $(CC) -fPIE -pie
cc.static := $(CC) -fPIE -static-pie
cc.fixed := $(CC) -fno-pie -no-pie
cc.musl := $(MUSL) -fPIE -pie
# musl-gcc itself makes none; the files that begin and end one lie where its specs do.
MUSL_LIB := $(if $(MUSL),$(dir $(shell $(MUSL) -v 2>&1 | sed -n 's/^Reading specs from //p')))
cc.musl-static := $(MUSL) -fPIE -static-pie -nostartfiles \
	-Wl,-static,-pie,--no-dynamic-linker $(addprefix $(MUSL_LIB),rcrt1.o crti.o crtn.o)

# Programs in Fortran, for fortran_test. They link a library, as those of users do: FMPL_NULL must
# be one object in both. The program of the guide is one of them.
GFORTRAN := $(shell command -v gfortran)
FORTRAN := $(basename $(notdir $(wildcard src/test/c/fmpl/*_program.f*))) fortran_guide_program
FORTRAN_PROGRAMS := $(if $(and $(GFORTRAN),$(filter %/fortran_test.c,$(TESTS))), \
	$(FORTRAN:%=$(OUT)/bin/fmpl/%))
FORTRAN_FLAGS = -g -Wall -Werror -fPIC -Isrc/main/c/include/hayate $(FLAGS)
OTHERS := delegatee explain launch netlib observe tune # rooms of other libraries and of programs
LIBRARY := $(call object,$(filter-out $(OTHERS:%=src/main/c/%/%),$(MAIN)))

# Libraries that stand in for those of others.
LIBRARIES := $(patsubst src/test/c/%_library.c,$(OUT)/bin/%.so, \
	$(shell find src/test/c -name '*_library.c'))

all: $(BINARIES) $(LAUNCHER) $(FORTRAN_PROGRAMS) \
	$(TASK_PROGRAMS:%=$(OUT)/bin/pvas/%) $(LIBRARIES)

$(OUT)/o/%.o: %.c scripts/lib/ctest.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/bin/%: $(OUT)/o/src/test/c/%.o $(LINKED)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

$(OUT)/main.a: $(call object,$(filter-out $(LAUNCH_MAIN) $(DELEGATEE_MAIN),$(MAIN)))
	@rm -f $@
	$(AR) rcs $@ $^

$(OUT)/fortran/libhayate.so: $(LIBRARY) src/main/c/exports.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -Wl,-soname,libhayate.so -Wl,--version-script=src/main/c/exports.map \
		-Wl,-Bsymbolic-functions $(filter %.o,$^) -o $@ -lpthread -ldl -lm

$(OUT)/fortran/fmpl.f90: $(addprefix src/main/fortran/,generate.awk buffers.txt hayate/fmpl.f90)
	@mkdir -p $(@D)
	awk -f $^ >$@

$(OUT)/fortran/fmpl.o: $(OUT)/fortran/fmpl.f90 src/main/c/include/hayate/fmpl.fh
	@mkdir -p $(@D)
	$(GFORTRAN) $(FORTRAN_FLAGS) -J$(@D) -c $< -o $@

$(OUT)/fortran/fortran_guide_program.f90: docs/guide/c-and-fortran.md
	@mkdir -p $(@D)
	sed -n '/^```fortran$$/,/^```$$/{/^```/!p}' $< >$@

define fortran-rule
	@mkdir -p $@.mod
	$(GFORTRAN) $(FORTRAN_FLAGS) -J$@.mod -I$(OUT)/fortran $(filter %.f %.f90 %.o,$^) \
		-o $@ -L$(OUT)/fortran -Wl,-rpath,$(abspath $(OUT)/fortran) -lhayate
endef
FORTRAN_PARTS := $(OUT)/fortran/fmpl.o $(OUT)/fortran/libhayate.so
$(OUT)/bin/fmpl/fortran_old_program: FORTRAN_FLAGS += -fcray-pointer -std=legacy -w
$(OUT)/bin/fmpl/fortran_%: src/test/c/fmpl/fortran_%.f90 $(FORTRAN_PARTS)
	$(fortran-rule)
$(OUT)/bin/fmpl/fortran_%: src/test/c/fmpl/fortran_%.f $(OUT)/fortran/libhayate.so
	$(fortran-rule)
$(OUT)/bin/fmpl/fortran_%: $(OUT)/fortran/fortran_%.f90 $(FORTRAN_PARTS)
	$(fortran-rule)

# FORTRAN(name, value) for each constant that Fortran has, C(name) for each of the headers, and
# FUNCTION(name) for each function of them.
$(OUT)/fortran/names.h: src/main/c/include/hayate/fmpl.fh src/main/c/include/hayate/fmpl.h \
		src/main/c/include/hayate/hayate.h scripts/lib/ctest.mk
	@mkdir -p $(@D)
	{ sed -nE 's/^ *integer.*, parameter :: ([A-Z_]+) = (-?[0-9]+)$$/FORTRAN(\1, \2)/p' $<; \
	    $(CC) $(COMMON) -E -P src/main/c/include/hayate/fmpl.h | tr ',{}' '\n' | \
	        sed -nE 's/^ *((FMPL|HAYATE)_[A-Z_]+).*/C(\1)/p'; \
	    $(CC) $(COMMON) -E -dM src/main/c/include/hayate/fmpl.h | \
	        sed -nE 's/^#define (FMPL_[A-Z_]+) .*/C(\1)/p'; \
	    sed -nE 's/^HAYATE_API .*\b((fmpl|hayate)_[a-z_]+)\(.*/FUNCTION(\1)/p' $(filter %.h,$^); } >$@
$(OUT)/o/src/test/c/fmpl/fortran_test.o: CFLAGS += -I$(OUT)/fortran
$(OUT)/o/src/test/c/fmpl/fortran_test.o: $(OUT)/fortran/names.h

# Some targets of src/test/fuzz include the file whose inside they want.
$(OUT)/bin/fuzz/%: LIBS += -Wl,-z,muldefs

define task-rule
$(OUT)/bin/pvas/$(1)/%: src/test/c/pvas/%_task.c scripts/lib/ctest.mk
	@mkdir -p $$(@D)
	$$(cc.$(1)) $$(TASK_FLAGS) -MMD -MP -MF $$@.d -MT $$@ $$(filter %.c %.o,$$^) -o $$@ -lpthread -ldl
endef
$(foreach kind,dynamic static fixed musl musl-static,$(eval $(call task-rule,$(kind))))
$(SHARING:%=$(OUT)/bin/pvas/dynamic/%): $(TASK_PARTS)

$(OUT)/plain/%.o: %.c scripts/lib/ctest.mk
	@mkdir -p $(@D)
	$(CC) $(TASK_FLAGS) -fvisibility=hidden -fPIC -MMD -MP -c $< -o $@

$(OUT)/bin/%.so: src/test/c/%_library.c scripts/lib/ctest.mk
	@mkdir -p $(@D)
	$(CC) $(TASK_FLAGS) -fPIC -shared $< -o $@

$(OUT)/hayate-run: $(call object,$(BASE) $(LAUNCH))
	$(CC) $(CFLAGS) -pie -Wl,-z,now $^ -o $@ -lpthread -ldl

$(OUT)/hayate-delegatee: $(call object,$(DELEGATEE_MAIN)) $(OUT)/main.a
	$(CC) $(CFLAGS) -pie $^ -o $@ -lpthread -ldl -lm

.SECONDARY:
.PHONY: all
-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
