/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are no task's program, damaged ones, and such as somebody made to do harm. */
#include "pvas/elf_fixture.h"

#include <errno.h>

TEST(should_refuse_what_is_no_elf_file)
{
    image file;
    image_make(&file);
    file.bytes[1] = 'X';
    assert_unsupported(&file, "neither an ELF program nor a script");
    file.length = 0;
    assert_unsupported(&file, "neither an ELF program nor a script");
    image_make(&file);
    file.length = 3;
    assert_unsupported(&file, "neither an ELF program nor a script");
}

TEST(should_refuse_a_header_that_is_cut_off)
{
    image file;
    image_make(&file);
    for (file.length = SELFMAG; file.length < sizeof file.header; file.length++)
        assert_unsupported(&file, "header is cut off");
}

TEST(should_refuse_programs_of_other_kinds)
{
    image file;
    image_make(&file);
    file.header.e_ident[EI_CLASS] = ELFCLASS32;
    assert_unsupported(&file, "32-bit");
    file.header.e_ident[EI_CLASS] = 77;
    assert_unsupported(&file, "class");
    image_make(&file);
    file.header.e_ident[EI_DATA] = ELFDATA2MSB;
    assert_unsupported(&file, "byte order");
    image_make(&file);
    file.header.e_machine = EM_AARCH64;
    assert_unsupported(&file, "another machine");
    image_make(&file);
    file.header.e_ident[EI_VERSION] = 9;
    assert_unsupported(&file, "version");
    image_make(&file);
    file.header.e_version = 9;
    assert_unsupported(&file, "version");
}

TEST(should_refuse_a_fixed_address_and_say_what_to_do)
{
    image file;
    image_make(&file);
    file.header.e_type = ET_EXEC;
    assert_unsupported(&file, "-pie");
    assert_unsupported(&file, "ENOEXEC");
    file.header.e_type = ET_REL;
    assert_unsupported(&file, "not a program");
    file.header.e_type = ET_CORE;
    assert_unsupported(&file, "not a program");
    file.header.e_type = 0xffff;
    assert_unsupported(&file, "not a program");
}

TEST(should_refuse_a_library)
{
    image file;
    image_make(&file);
    file.header.e_entry = 0;
    assert_unsupported(&file, "it is a library");
}

TEST(should_refuse_wrong_numbers_of_program_headers)
{
    image file;
    image_make(&file);
    file.header.e_phnum = 0;
    assert_unsupported(&file, "no program headers");
    file.header.e_phnum = 129;
    assert_unsupported(&file, "too many program headers");
    file.header.e_phnum = PN_XNUM;
    assert_unsupported(&file, "too many program headers");
    image_make(&file);
    file.header.e_phentsize = sizeof(Elf64_Phdr) - 1;
    assert_unsupported(&file, "wrong size");
    file.header.e_phentsize = 0xffff;
    assert_unsupported(&file, "wrong size");
}

TEST(should_refuse_program_headers_behind_the_end)
{
    static const uint64_t offsets[] = {
        FILE_BYTES, FILE_BYTES - HEADERS * sizeof(Elf64_Phdr) + 1, INT64_MAX,
        UINT64_MAX, UINT64_MAX - HEADERS * sizeof(Elf64_Phdr) + 1, UINT64_C(1) << 63};
    image file;
    image_make(&file);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        file.header.e_phoff = offsets[i];
        assert_unsupported(&file, "program headers lie behind its end");
    }
}

TEST(should_refuse_a_program_without_segments)
{
    image file;
    image_make(&file);
    file.segments[CODE].p_type = file.segments[DATA].p_type = PT_NULL;
    assert_unsupported(&file, "no loadable segment");
    image_make(&file);
    file.segments[CODE].p_memsz = file.segments[DATA].p_memsz = 0;
    assert_unsupported(&file, "no loadable segment");
}

TEST(should_refuse_too_many_segments)
{
    image file;
    image_make(&file);
    file.header.e_phnum = HY_ELF_SEGMENTS_MAX + 1;
    for (uint64_t i = 0; i <= HY_ELF_SEGMENTS_MAX; i++)
        ((Elf64_Phdr *)(void *)(file.bytes + file.header.e_phoff))[i] = (Elf64_Phdr){
            .p_type = PT_LOAD,
            .p_flags = PF_R | PF_X,
            .p_vaddr = i * 4096,
            .p_memsz = 4096,
            .p_align = 4096};
    assert_unsupported(&file, "too many segments");
}

TEST(should_refuse_segments_behind_the_end_of_the_file)
{
    image file;
    image_make(&file);
    file.length = 0x2200;
    assert_unsupported(&file, "cut off");
    image_make(&file);
    file.segments[DATA].p_offset = UINT64_MAX - 0xeff; /* its end wraps round */
    file.segments[DATA].p_vaddr = 0x5100;
    assert_unsupported(&file, "behind its end");
    image_make(&file);
    file.segments[DATA].p_filesz = file.segments[DATA].p_memsz = UINT64_MAX;
    assert_unsupported(&file, "behind its end");
    image_make(&file);
    file.segments[DATA].p_filesz = FILE_BYTES - 0x2100 + 1;
    assert_unsupported(&file, "behind its end");
}

TEST(should_refuse_more_in_the_file_than_in_memory)
{
    image file;
    image_make(&file);
    file.segments[DATA].p_memsz = file.segments[DATA].p_filesz - 1;
    assert_unsupported(&file, "longer in the file than in memory");
}

TEST(should_refuse_addresses_that_wrap_round)
{
    static const uint64_t lengths[] = {UINT64_MAX, UINT64_MAX - 0x5100, UINT64_MAX - 0x6100,
                                       UINT64_MAX - 0x7100 + 1};
    image file;
    image_make(&file);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        file.segments[DATA].p_memsz = lengths[i];
        assert_unsupported(&file, "wraps around");
    }
    image_make(&file);
    file.segments[DATA].p_vaddr = UINT64_MAX - 0xeff;
    file.segments[DATA].p_memsz = 0x400;
    assert_unsupported(&file, "wraps around");
    image_make(&file);
    file.segments[CODE].p_vaddr = UINT64_MAX - 0xfff;
    assert_unsupported(&file, "wraps around");
}

TEST(should_refuse_segments_that_overlap_or_are_not_in_order)
{
    static const uint64_t addresses[] = {0x100, 0x1100};
    image file;
    Elf64_Phdr first;
    image_make(&file);
    for (size_t i = 0; i < 2; i++) {
        file.segments[DATA].p_vaddr = addresses[i]; /* the last is on the code's last page */
        assert_unsupported(&file, "overlap");
    }
    image_make(&file);
    first = file.segments[CODE];
    file.segments[CODE] = file.segments[DATA];
    file.segments[DATA] = first;
    assert_unsupported(&file, "not in order");
}

TEST(should_refuse_wrong_alignments)
{
    image file;
    image_make(&file);
    file.segments[DATA].p_align = 0x1800;
    assert_unsupported(&file, "not a power of two");
    file.segments[DATA].p_align = UINT64_MAX;
    assert_unsupported(&file, "not a power of two");
    file.segments[DATA].p_align = UINT64_C(1) << 63;
    assert_unsupported(&file, "too large");
    file.segments[DATA].p_align = UINT64_C(1) << 31;
    assert_unsupported(&file, "too large");
    file.segments[DATA].p_align = 0x10000;
    assert_unsupported(&file, "differ in alignment");
    image_make(&file);
    file.segments[DATA].p_align = 0;
    file.segments[DATA].p_vaddr++;
    assert_unsupported(&file, "not aligned to pages");
}

TEST(should_refuse_wrong_names_of_the_interpreter)
{
    image file;
    image_make(&file);
    file.segments[INTERP].p_filesz = sizeof INTERPRETER - 1;
    assert_unsupported(&file, "is not terminated");
    file.segments[INTERP].p_filesz = 0;
    assert_unsupported(&file, "is empty");
    file.segments[INTERP].p_filesz = 1;
    assert_unsupported(&file, "is empty");
    file.segments[INTERP].p_filesz = HY_ELF_INTERPRETER_MAX + 1;
    assert_unsupported(&file, "too long");
    file.segments[INTERP].p_filesz = UINT64_MAX;
    assert_unsupported(&file, "too long");
    image_make(&file);
    file.bytes[INTERPRETER_OFFSET] = '\0';
    assert_unsupported(&file, "is empty");
    image_make(&file);
    file.segments[INTERP].p_offset = FILE_BYTES - 1;
    assert_unsupported(&file, "behind its end");
    file.segments[INTERP].p_offset = UINT64_MAX;
    assert_unsupported(&file, "behind its end");
    image_make(&file);
    file.segments[STACK] = file.segments[INTERP];
    assert_unsupported(&file, "two interpreters");
}

TEST(should_refuse_an_entry_that_is_in_no_code)
{
    static const uint64_t entries[] = {0x1800, 0x5100, 0xe000, UINT64_MAX, 0x4000};
    image file;
    image_make(&file);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        file.header.e_entry = entries[i];
        assert_unsupported(&file, "entry point is not in its code");
    }
}

TEST(should_refuse_what_is_longer_than_the_room)
{
    image file;
    image_make(&file);
    file.segments[DATA].p_memsz = ROOM;
    assert_refused_as(&file, HAYATE_ERR_NO_MEMORY, "does not fit into a partition");
    file.segments[DATA].p_memsz = UINT64_MAX / 2;
    assert_refused_as(&file, HAYATE_ERR_NO_MEMORY, "does not fit into a partition");
    image_make(&file);
    file.segments[DATA].p_align = UINT64_C(1) << 30;
    file.segments[DATA].p_vaddr = (UINT64_C(1) << 30) + 0x2100;
    assert_refused_as(&file, HAYATE_ERR_NO_MEMORY, "does not fit into a partition");
}

TEST(should_report_that_it_cannot_be_read)
{
    hy_elf elf;
    assert_int_equal(read_file(-1, "the file", ROOM, &elf), HAYATE_ERR_SYSTEM);
    assert_non_null(strstr(hayate_error(), "the file"));
    assert_non_null(strstr(hayate_error(), strerror(EBADF)));
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 11;
}

/* What is accepted must be what the loader relies on. */
static void check_promises(const hy_elf *elf)
{
    uint64_t before = elf->low;
    assert_in_range(elf->count, 1, HY_ELF_SEGMENTS_MAX);
    assert_true(elf->alignment >= 4096 && (elf->alignment & (elf->alignment - 1)) == 0);
    assert_true(elf->high - elf->low <= ROOM && elf->low < elf->high);
    for (int i = 0; i < elf->count; i++) {
        const hy_elf_segment *segment = &elf->segments[i];
        assert_true(segment->address / 4096 * 4096 >= before);
        assert_true(segment->file_bytes <= segment->memory_bytes && segment->memory_bytes > 0);
        assert_true(segment->memory_bytes <= elf->high - segment->address);
        assert_true(segment->offset + segment->file_bytes <= FILE_BYTES || !segment->file_bytes);
        before = (segment->address + segment->memory_bytes + 4095) / 4096 * 4096;
    }
    assert_true(memchr(elf->interpreter, 0, sizeof elf->interpreter) != NULL);
}

TEST(should_keep_its_promises_about_random_damage)
{
    static const uint64_t values[] = {0, 1, 0x1000, 0x7fffffff, INT64_MAX, UINT64_MAX, 0xfff};
    uint64_t seed = 42;
    int accepted = 0, refused = 0;
    for (int i = 0; i < 20000; i++) {
        image file;
        hy_elf elf;
        image_make(&file);
        for (uint64_t k = next(&seed) % 3; k < 3; k++) {
            size_t at = next(&seed) % (offsetof(image, segments) + HEADERS * sizeof(Elf64_Phdr));
            uint64_t value = values[next(&seed) % 7] + next(&seed) % 3 - 1;
            memcpy(file.bytes + at, &value, 1 + next(&seed) % 8);
        }
        if (image_read_into(&file, ROOM, &elf) == HAYATE_OK) {
            check_promises(&elf);
            accepted++;
        } else {
            assert_true(hayate_error()[0] != '\0');
            refused++;
        }
    }
    assert_true(accepted > 100 && refused > 1000); /* both happen, else nothing was shown */
}

int main(void)
{
    return tests_run();
}
