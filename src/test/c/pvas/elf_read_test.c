/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of sound files: made ones, and those of this machine. */
#include "pvas/elf_fixture.h"

#include <fcntl.h>

TEST(should_read_a_sound_file)
{
    image file;
    hy_elf elf;
    image_make(&file);
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_int_equal(elf.count, 2);
    assert_int_equal(elf.low, 0);
    assert_int_equal(elf.high, 0xf000);
    assert_int_equal(elf.alignment, 4096);
    assert_int_equal(elf.entry, 0x1000);
    assert_int_equal(elf.headers, offsetof(image, segments));
    assert_int_equal(elf.header_count, HEADERS);
    assert_false(elf.executable_stack);
    assert_string_equal(elf.interpreter, INTERPRETER);
    assert_int_equal(elf.segments[1].address, 0x5100);
    assert_int_equal(elf.segments[1].offset, 0x2100);
    assert_int_equal(elf.segments[1].protection, PROT_READ | PROT_WRITE);
}

TEST(should_know_a_program_without_an_interpreter)
{
    image file;
    hy_elf elf;
    image_make(&file);
    file.segments[INTERP].p_type = PT_NULL;
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_string_equal(elf.interpreter, "");
}

TEST(should_see_that_the_stack_is_to_be_executable)
{
    image file;
    hy_elf elf;
    image_make(&file);
    file.segments[STACK].p_flags |= PF_X;
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_true(elf.executable_stack);
}

TEST(should_take_the_largest_alignment)
{
    image file;
    hy_elf elf;
    image_make(&file);
    file.segments[DATA].p_align = 0x200000;
    file.segments[DATA].p_vaddr = 0x202100; /* as its offset, modulo the alignment */
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_int_equal(elf.alignment, 0x200000);
}

TEST(should_skip_segments_without_memory)
{
    image file;
    hy_elf elf;
    image_make(&file);
    file.segments[DATA] = (Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = 0x77, .p_offset = UINT64_MAX};
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_int_equal(elf.count, 1);
}

TEST(should_say_that_no_segment_has_the_headers)
{
    image file;
    hy_elf elf;
    image_make(&file);
    memcpy(file.bytes + 0x3800, file.segments, sizeof file.segments);
    file.header.e_phoff = 0x3800;
    assert_ok(image_read_into(&file, ROOM, &elf));
    assert_int_equal(elf.headers, 0);
}

TEST(should_fit_to_the_byte)
{
    image file;
    hy_elf elf;
    image_make(&file);
    assert_ok(image_read_into(&file, 0xf000 + 0x1000, &elf));
    assert_code(image_read_into(&file, 0xf000 + 0x1000 - 1, &elf), HAYATE_ERR_NO_MEMORY);
    assert_non_null(strstr(hayate_error(), "does not fit into a partition"));
    assert_code(image_read_into(&file, 0, &elf), HAYATE_ERR_NO_MEMORY);
}

TEST(should_read_programs_of_this_machine)
{
    static const char *const names[] = {"/bin/sh", "/proc/self/exe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hy_elf elf;
        int fd = open(names[i], O_RDONLY | O_CLOEXEC);
        assert_true(fd >= 0);
        int code = read_file(fd, names[i], ROOM, &elf);
        close(fd);
#ifdef __x86_64__
        if (code) fail_msg("%s", hayate_error());
        assert_true(elf.count >= 2 && elf.headers != 0 && elf.interpreter[0] == '/');
#else
        assert_code(code, HAYATE_ERR_UNSUPPORTED);
#endif
    }
}

int main(void)
{
    return tests_run();
}
