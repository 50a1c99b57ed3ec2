/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are no task's program, damaged ones, and such as somebody made to do harm. */
#include "pvas/elf_fixture.h"

#include <errno.h>

/* A field of a sound file, what it is changed to, and what the refusal says. */
typedef struct damage {
    const char *field;
    size_t offset, bytes;
    uint64_t value;
    const char *reason;
} damage;

#define FIELD(field) #field, offsetof(image, field), sizeof(((image *)0)->field)
#define HEADER(field) FIELD(header.field)
#define IDENT(index) FIELD(header.e_ident[index])
#define SEGMENT(index, field) FIELD(segments[index].field)

static void refuse_each(const damage *d, int code)
{
    for (; d->field; d++) {
        image file;
        image_make(&file);
        memcpy(file.bytes + d->offset, &d->value, d->bytes);
        fprintf(stderr, "%s is %#llx\n", d->field, (unsigned long long)d->value);
        assert_refused_as(&file, code, d->reason);
    }
}

#define REFUSE_EACH(...) \
    refuse_each((const damage[]){__VA_ARGS__, {.field = NULL}}, HAYATE_ERR_UNSUPPORTED)

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

TEST(should_refuse_headers_of_other_kinds_of_files_and_wrong_ones)
{
    const uint64_t table = HEADERS * sizeof(Elf64_Phdr);
    REFUSE_EACH(
        {IDENT(EI_CLASS), ELFCLASS32, "32-bit"}, {IDENT(EI_CLASS), 77, "class"},
        {IDENT(EI_DATA), ELFDATA2MSB, "byte order"},
        {HEADER(e_machine), EM_AARCH64, "another machine"}, {IDENT(EI_VERSION), 9, "version"},
        {HEADER(e_version), 9, "version"}, {HEADER(e_type), ET_EXEC, "-pie"},
        {HEADER(e_type), ET_EXEC, "ENOEXEC"}, {HEADER(e_type), ET_REL, "not a program"},
        {HEADER(e_type), ET_CORE, "not a program"}, {HEADER(e_type), 0xffff, "not a program"},
        {HEADER(e_entry), 0, "it is a library"}, {HEADER(e_phnum), 0, "no program headers"},
        {HEADER(e_phnum), 129, "too many program headers"},
        {HEADER(e_phnum), PN_XNUM, "too many program headers"},
        {HEADER(e_phentsize), sizeof(Elf64_Phdr) - 1, "wrong size"},
        {HEADER(e_phentsize), 0xffff, "wrong size"},
        {HEADER(e_phoff), FILE_BYTES, "program headers lie behind its end"},
        {HEADER(e_phoff), FILE_BYTES - table + 1, "program headers lie behind its end"},
        {HEADER(e_phoff), INT64_MAX, "program headers lie behind its end"},
        {HEADER(e_phoff), UINT64_MAX, "program headers lie behind its end"},
        {HEADER(e_phoff), UINT64_MAX - table + 1, "program headers lie behind its end"},
        {HEADER(e_phoff), UINT64_C(1) << 63, "program headers lie behind its end"},
        {HEADER(e_entry), 0x1800, "entry point is not in its code"},
        {HEADER(e_entry), 0x5100, "entry point is not in its code"},
        {HEADER(e_entry), 0xe000, "entry point is not in its code"},
        {HEADER(e_entry), UINT64_MAX, "entry point is not in its code"},
        {HEADER(e_entry), 0x4000, "entry point is not in its code"});
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

TEST(should_refuse_segments_that_are_not_where_they_could_be)
{
    const uint64_t last = UINT64_MAX;
    REFUSE_EACH({SEGMENT(DATA, p_filesz), FILE_BYTES - 0x2100 + 1, "behind its end"},
                {SEGMENT(DATA, p_memsz), 0x300 - 1, "longer in the file than in memory"},
                {SEGMENT(DATA, p_memsz), last, "wraps around"},
                {SEGMENT(DATA, p_memsz), last - 0x5100, "wraps around"},
                {SEGMENT(DATA, p_memsz), last - 0x6100, "wraps around"},
                {SEGMENT(DATA, p_memsz), last - 0x7100 + 1, "wraps around"},
                {SEGMENT(CODE, p_vaddr), last - 0xfff, "wraps around"},
                {SEGMENT(DATA, p_vaddr), 0x100, "overlap"},
                {SEGMENT(DATA, p_vaddr), 0x1100, "overlap"}, /* the code's last page */
                {SEGMENT(DATA, p_align), 0x1800, "not a power of two"},
                {SEGMENT(DATA, p_align), last, "not a power of two"},
                {SEGMENT(DATA, p_align), UINT64_C(1) << 63, "too large"},
                {SEGMENT(DATA, p_align), UINT64_C(1) << 31, "too large"},
                {SEGMENT(DATA, p_align), 0x10000, "differ in alignment"});
}

TEST(should_refuse_segments_that_are_wrong_in_two_fields)
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
    file.segments[DATA].p_vaddr = UINT64_MAX - 0xeff;
    file.segments[DATA].p_memsz = 0x400;
    assert_unsupported(&file, "wraps around");
    image_make(&file);
    file.segments[DATA].p_align = 0;
    file.segments[DATA].p_vaddr++;
    assert_unsupported(&file, "not aligned to pages");
    image_make(&file);
    const Elf64_Phdr first = file.segments[CODE];
    file.segments[CODE] = file.segments[DATA];
    file.segments[DATA] = first;
    assert_unsupported(&file, "not in order");
}

TEST(should_refuse_wrong_names_of_the_interpreter)
{
    REFUSE_EACH({SEGMENT(INTERP, p_filesz), sizeof INTERPRETER - 1, "is not terminated"},
                {SEGMENT(INTERP, p_filesz), 0, "is empty"},
                {SEGMENT(INTERP, p_filesz), 1, "is empty"},
                {SEGMENT(INTERP, p_filesz), HY_ELF_INTERPRETER_MAX + 1, "too long"},
                {SEGMENT(INTERP, p_filesz), UINT64_MAX, "too long"},
                {FIELD(bytes[INTERPRETER_OFFSET]), '\0', "is empty"},
                {SEGMENT(INTERP, p_offset), FILE_BYTES - 1, "behind its end"},
                {SEGMENT(INTERP, p_offset), UINT64_MAX, "behind its end"});
    image file;
    image_make(&file);
    file.segments[STACK] = file.segments[INTERP];
    assert_unsupported(&file, "two interpreters");
}

TEST(should_refuse_what_is_longer_than_the_room)
{
    const damage lengths[] = {
        {SEGMENT(DATA, p_memsz), ROOM, "does not fit into a partition"},
        {SEGMENT(DATA, p_memsz), UINT64_MAX / 2, "does not fit into a partition"},
        {.field = NULL}};
    refuse_each(lengths, HAYATE_ERR_NO_MEMORY);
    image file;
    image_make(&file);
    file.segments[DATA].p_align = UINT64_C(1) << 30;
    file.segments[DATA].p_vaddr = (UINT64_C(1) << 30) + 0x2100;
    assert_refused_as(&file, HAYATE_ERR_NO_MEMORY, "does not fit into a partition");
}

TEST(should_report_that_it_cannot_be_read)
{
    hy_elf elf;
    assert_code(read_file(-1, "the file", ROOM, &elf), HAYATE_ERR_SYSTEM);
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
