/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cannot become tasks: each is refused with its reason, and leaves nothing behind. */
#include <elf.h>
#include <sys/stat.h>

#include "pvas/pvas_fixture.h"

static char directory[] = "/tmp/hayate-pvas-XXXXXX";
static char path[128];

static const char *write_file(const char *name, const void *bytes, size_t count, mode_t mode)
{
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
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
    snprintf(path, sizeof path, "%s/nothing", directory);
    refuses(path, HAYATE_ERR_SYSTEM, "No such file");
}

TEST(should_say_that_a_file_may_not_be_executed)
{
    refuses(write_file("data", "#!/bin/sh\n", 10, 0644), HAYATE_ERR_SYSTEM, "ermission");
    refuses("/usr", HAYATE_ERR_SYSTEM, "");
    refuses("/dev/null", HAYATE_ERR_SYSTEM, "");
}

TEST(should_refuse_what_is_no_program)
{
    refuses(write_file("text", "just text\n", 10, 0755), HAYATE_ERR_UNSUPPORTED, "");
    refuses(write_file("empty", "", 0, 0755), HAYATE_ERR_UNSUPPORTED, "");
    refuses(write_file("magic", "\177ELF", 4, 0755), HAYATE_ERR_UNSUPPORTED, "");
    refuses(write_file("blank", "#!  \n", 5, 0755), HAYATE_ERR_UNSUPPORTED, "");
}

TEST(should_say_that_the_interpreter_of_a_script_is_missing)
{
    refuses(write_file("lost", "#!/no/such/shell\n", 17, 0755), HAYATE_ERR_SYSTEM,
            "/no/such/shell");
}

TEST(should_refuse_scripts_that_name_themselves)
{
    char text[160];
    snprintf(text, sizeof text, "#!%s/circle\n", directory);
    refuses(write_file("circle", text, strlen(text), 0755), HAYATE_ERR_SYSTEM, "Too many levels");
}

TEST(should_refuse_programs_of_fixed_position)
{
    refuses("fixed/life", HAYATE_ERR_UNSUPPORTED, "PIE");
}

static size_t read_program(const char *name, unsigned char **bytes)
{
    struct stat about;
    FILE *file = fopen(program(name), "re");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    size_t count = (size_t)about.st_size;
    *bytes = malloc(count);
    assert_int_equal(fread(*bytes, 1, count, file), count);
    fclose(file);
    return count;
}

TEST(should_refuse_programs_that_are_cut_off)
{
    unsigned char *bytes;
    new_space(1, GIGA); /* or skip */
    assert_int_equal(space_teardown(NULL), 0);
    size_t count = read_program("dynamic/life", &bytes);
    static const size_t lengths[] = {17, 63, 64, 100, 500, 4096};
    for (size_t i = 0; i < COUNT(lengths); i++)
        refuses(write_file("cut", bytes, lengths[i], 0755), HAYATE_ERR_UNSUPPORTED, "");
    refuses(write_file("half", bytes, count / 8, 0755), HAYATE_ERR_UNSUPPORTED, "");
    free(bytes);
}

static void refuses_changed(const char *name, void (*change)(Elf64_Ehdr *header))
{
    unsigned char *bytes;
    new_space(1, GIGA);
    assert_int_equal(space_teardown(NULL), 0);
    size_t count = read_program("dynamic/life", &bytes);
    change((Elf64_Ehdr *)bytes);
    refuses(write_file(name, bytes, count, 0755), HAYATE_ERR_UNSUPPORTED, "");
    free(bytes);
}

static void of_arm(Elf64_Ehdr *header)
{
    header->e_machine = EM_AARCH64;
}

static void big_endian(Elf64_Ehdr *header)
{
    header->e_ident[EI_DATA] = ELFDATA2MSB;
}

static void an_object(Elf64_Ehdr *header)
{
    header->e_type = ET_REL;
}

static void without_segments(Elf64_Ehdr *header)
{
    header->e_phnum = 0;
}

static void with_headers_beyond_the_end(Elf64_Ehdr *header)
{
    header->e_phoff = UINT64_MAX - 100;
}

static void with_a_header_of_wrong_size(Elf64_Ehdr *header)
{
    header->e_phentsize = 7;
}

TEST(should_refuse_programs_of_other_machines)
{
    refuses_changed("arm", of_arm);
    refuses_changed("msb", big_endian);
}

TEST(should_refuse_damaged_headers)
{
    refuses_changed("object", an_object);
    refuses_changed("segments", without_segments);
    refuses_changed("beyond", with_headers_beyond_the_end);
    refuses_changed("size", with_a_header_of_wrong_size);
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
    refuses(write_file("old", bytes, sizeof bytes, 0755), HAYATE_ERR_UNSUPPORTED, "32");
}

TEST(should_refuse_programs_with_rights_of_another)
{
    unsigned char *bytes;
    new_space(1, GIGA);
    assert_int_equal(space_teardown(NULL), 0);
    size_t count = read_program("dynamic/life", &bytes);
    refuses(write_file("setuid", bytes, count, 04755), HAYATE_ERR_UNSUPPORTED, "setuid");
    free(bytes);
}

/* Segments that no partition holds. */
TEST(should_refuse_programs_that_do_not_fit)
{
    unsigned char *bytes;
    new_space(1, GIGA);
    assert_int_equal(space_teardown(NULL), 0);
    size_t count = read_program("dynamic/life", &bytes);
    Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
    Elf64_Phdr *segments = (Elf64_Phdr *)(bytes + header->e_phoff);
    Elf64_Phdr *last = NULL;
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD) last = &segments[i];
    assert_non_null(last);
    last->p_memsz = 16 * GIGA;
    refuses(write_file("giant", bytes, count, 0755), HAYATE_ERR_NO_MEMORY, "");
    last->p_memsz = UINT64_MAX - 4096;
    refuses(write_file("wrap", bytes, count, 0755), HAYATE_ERR_UNSUPPORTED, "");
    free(bytes);
}

static int directory_setup(void **state)
{
    return mkdtemp(directory) ? 0 : -1;
}

static int directory_teardown(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

int main(void)
{
    return pvas_tests_run(directory_setup, directory_teardown);
}
