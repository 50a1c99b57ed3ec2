/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cannot become tasks: each is refused with its reason, and leaves nothing behind. */
#include <elf.h>

#include "pvas/directory_fixture.h"

static void need_space(void)
{
    new_space(1, GIGA); /* or skip */
    assert_int_equal(space_teardown(NULL), 0);
}

/* Refused so, for several spawns in a space for one: no place and no descriptor is lost. */
static void refuses(const char *name, int expected, const char *part)
{
    const char *words[] = {"x", NULL};
    int before = dup(0);
    new_space(1, GIGA);
    for (int i = 0; i < 10; i++) {
        task *t;
        assert_refused(task_try(&t, name, words, NULL, NULL), expected, part);
    }
    assert_exit(START("dynamic/life", "exit", "0"), 0);
    assert_int_equal(space_teardown(NULL), 0);
    close(before);
    int after = dup(0);
    close(after);
    assert_int_equal(after, before);
}

TEST(should_say_that_a_file_is_missing)
{
    refuses("/no/such/program", HAYATE_ERR_SYSTEM, "/no/such/program: No such file");
    refuses("/etc/passwd/program", HAYATE_ERR_SYSTEM, "/etc/passwd/program: Not a directory");
    refuses(text_of("%s/nothing", directory), HAYATE_ERR_SYSTEM, "No such file");
}

TEST(should_say_that_a_file_may_not_be_executed)
{
    refuses(make_file("data", "#!/bin/sh\n", 10, 0644), HAYATE_ERR_SYSTEM, "ermission");
    refuses("/usr", HAYATE_ERR_SYSTEM, "");
    refuses("/dev/null", HAYATE_ERR_SYSTEM, "");
}

TEST(should_refuse_what_is_no_program)
{
    refuses(make_script("text", "just text\n"), HAYATE_ERR_UNSUPPORTED, "");
    refuses(make_script("empty", ""), HAYATE_ERR_UNSUPPORTED, "");
    refuses(make_script("magic", "\177ELF"), HAYATE_ERR_UNSUPPORTED, "");
    refuses(make_script("blank", "#!  \n"), HAYATE_ERR_UNSUPPORTED, "");
}

TEST(should_say_that_the_interpreter_of_a_script_is_missing)
{
    refuses(make_script("lost", "#!/no/such/shell\n"), HAYATE_ERR_SYSTEM, "/no/such/shell");
}

TEST(should_refuse_scripts_that_name_themselves)
{
    const char *text = text_of("#!%s/circle\n", directory);
    refuses(make_file("circle", text, strlen(text), 0755), HAYATE_ERR_SYSTEM, "Too many levels");
}

TEST(should_refuse_programs_of_fixed_position)
{
    refuses("fixed/life", HAYATE_ERR_UNSUPPORTED, "PIE");
}

TEST(should_refuse_programs_that_are_cut_off)
{
    unsigned char *bytes;
    need_space();
    size_t count = read_program("dynamic/life", &bytes);
    static const size_t lengths[] = {17, 63, 64, 100, 500, 4096};
    for (size_t i = 0; i < COUNT(lengths); i++)
        refuses(make_file("cut", bytes, lengths[i], 0755), HAYATE_ERR_UNSUPPORTED, "");
    refuses(make_file("half", bytes, count / 8, 0755), HAYATE_ERR_UNSUPPORTED, "");
    free(bytes);
}

/* Programs with one field of the header changed. */
TEST(should_refuse_other_machines_and_damaged_headers)
{
#define FIELD(field) offsetof(Elf64_Ehdr, field), sizeof(((Elf64_Ehdr *)0)->field)
    static const struct {
        const char *name;
        size_t offset, size;
        uint64_t value;
    } cases[] = {
        {"arm", FIELD(e_machine), EM_AARCH64},
        {"big-endian", offsetof(Elf64_Ehdr, e_ident) + EI_DATA, 1, ELFDATA2MSB},
        {"object", FIELD(e_type), ET_REL},
        {"no-segments", FIELD(e_phnum), 0},
        {"headers-beyond-the-end", FIELD(e_phoff), UINT64_MAX - 100},
        {"header-size", FIELD(e_phentsize), 7},
    };
    unsigned char *bytes;
    need_space();
    size_t count = read_program("dynamic/life", &bytes);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const Elf64_Ehdr was = *(Elf64_Ehdr *)bytes;
        memcpy(bytes + cases[i].offset, &cases[i].value, cases[i].size);
        fprintf(stderr, "%s\n", cases[i].name);
        refuses(make_file(cases[i].name, bytes, count, 0755), HAYATE_ERR_UNSUPPORTED, "");
        memcpy(bytes, &was, sizeof was);
    }
    free(bytes);
}

TEST(should_refuse_programs_of_32_bits)
{
    Elf32_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = EM_386,
                         .e_version = EV_CURRENT,
                         .e_phoff = sizeof header,
                         .e_ehsize = sizeof header,
                         .e_phentsize = sizeof(Elf32_Phdr),
                         .e_phnum = 1};
    unsigned char bytes[4096] = {0};
    memcpy(bytes, &header, sizeof header);
    refuses(make_file("old", bytes, sizeof bytes, 0755), HAYATE_ERR_UNSUPPORTED, "32");
}

TEST(should_refuse_programs_with_rights_of_another)
{
    unsigned char *bytes;
    need_space();
    size_t count = read_program("dynamic/life", &bytes);
    refuses(make_file("setuid", bytes, count, 04755), HAYATE_ERR_UNSUPPORTED, "setuid");
    free(bytes);
}

/* Segments that no partition holds. */
TEST(should_refuse_programs_that_do_not_fit)
{
    unsigned char *bytes;
    need_space();
    size_t count = read_program("dynamic/life", &bytes);
    Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
    Elf64_Phdr *segments = (Elf64_Phdr *)(bytes + header->e_phoff);
    Elf64_Phdr *last = NULL;
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD) last = &segments[i];
    assert_non_null(last);
    last->p_memsz = 16 * GIGA;
    refuses(make_file("giant", bytes, count, 0755), HAYATE_ERR_NO_MEMORY, "");
    last->p_memsz = UINT64_MAX - 4096;
    refuses(make_file("wrap", bytes, count, 0755), HAYATE_ERR_UNSUPPORTED, "");
    free(bytes);
}

int main(void)
{
    return pvas_tests_run(make_directory, remove_directory);
}
