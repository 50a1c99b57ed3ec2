/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files in memory, sound at first, of which a test breaks one thing. */
#ifndef HY_TEST_ELF_FIXTURE_H
#define HY_TEST_ELF_FIXTURE_H

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hayate/hayate.h>

#include "base/test.h"
#include "pvas/elf.h"

#define ROOM (UINT64_C(256) << 20)
#define FILE_BYTES 0x4000
#define INTERPRETER_OFFSET 0x300
#define INTERPRETER "/lib/ld-of-nobody.so"

enum { CODE, DATA, INTERP, STACK, HEADERS };

/* A header, the program headers, then zeroes: code at 0, data at 0x2000 of the file. */
typedef struct image {
    union {
        uint8_t bytes[FILE_BYTES];
        struct {
            Elf64_Ehdr header;
            Elf64_Phdr segments[HEADERS];
        };
    };
    size_t length; /* of the file */
} image;

static inline void image_make(image *of)
{
    memset(of, 0, sizeof *of);
    of->length = FILE_BYTES;
    memcpy(of->header.e_ident, ELFMAG, SELFMAG);
    of->header.e_ident[EI_CLASS] = ELFCLASS64;
    of->header.e_ident[EI_DATA] = ELFDATA2LSB;
    of->header.e_ident[EI_VERSION] = of->header.e_version = EV_CURRENT;
    of->header.e_type = ET_DYN;
    of->header.e_machine = EM_X86_64;
    of->header.e_entry = 0x1000;
    of->header.e_phoff = offsetof(image, segments);
    of->header.e_phentsize = sizeof(Elf64_Phdr);
    of->header.e_phnum = HEADERS;
    of->segments[CODE] = (Elf64_Phdr){.p_type = PT_LOAD,
                                      .p_flags = PF_R | PF_X,
                                      .p_filesz = 0x1800,
                                      .p_memsz = 0x1800,
                                      .p_align = 0x1000};
    of->segments[DATA] = (Elf64_Phdr){.p_type = PT_LOAD,
                                      .p_flags = PF_R | PF_W,
                                      .p_offset = 0x2100,
                                      .p_vaddr = 0x5100,
                                      .p_filesz = 0x300,
                                      .p_memsz = 0x9000,
                                      .p_align = 0x1000};
    of->segments[INTERP] = (Elf64_Phdr){
        .p_type = PT_INTERP, .p_offset = INTERPRETER_OFFSET, .p_filesz = sizeof INTERPRETER};
    of->segments[STACK] = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W};
    memcpy(of->bytes + INTERPRETER_OFFSET, INTERPRETER, sizeof INTERPRETER);
}

static inline int read_file(int fd, const char *name, uint64_t room, hy_elf *elf)
{
    hy_problem problem;
    int code = hy_elf_read(fd, name, room, elf, &problem);
    if (code) assert_int_equal(hy_problem_tell(&problem), code);
    return code;
}

static inline int image_read_into(const image *from, uint64_t room, hy_elf *elf)
{
    int fd = memfd_create("elf-test", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, from->bytes, from->length), from->length);
    memset(elf, 0xa5, sizeof *elf); /* nothing may be taken for cleared */
    int code = read_file(fd, "the file", room, elf);
    close(fd);
    return code;
}

/* The file is refused, with a sentence that names it and says `reason`. */
static inline void assert_refused_as(const image *from, int expected, const char *reason)
{
    hy_elf elf;
    int code = image_read_into(from, ROOM, &elf);
    if (code != expected)
        fail_msg("code %d, not %d: %s", code, expected, code ? hayate_error() : "accepted");
    if (!strstr(hayate_error(), reason) || !strstr(hayate_error(), "the file"))
        fail_msg("no '%s' in '%s'", reason, hayate_error());
}

#define assert_unsupported(from, reason) assert_refused_as(from, HAYATE_ERR_UNSUPPORTED, reason)

#endif
