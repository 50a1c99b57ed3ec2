/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the headers from the start of the file, checks each segment, and then checks the segments
 * against each other. Every offset and sum from the file is checked before it is used.
 */
#include "pvas/elf.h"

#include <elf.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <hayate/hayate.h>

#define PAGE UINT64_C(4096)
#define HEADERS_MAX 128 /* program headers; linkers make about 15 */
#define ALIGNMENT_MAX (UINT64_C(1) << 30)

typedef struct reader {
    int fd;
    const char *name;
    uint64_t bytes, room;
    hy_problem *problem;
    uint8_t start[4096]; /* of the file; almost always all that is needed */
    uint64_t start_bytes;
} reader;

HY_BARE_TOO static int damaged(const reader *from, const char *what)
{
    return hy_problem_note(from->problem, HAYATE_ERR_UNSUPPORTED, from->name, " is damaged: ", what,
                           NULL);
}

HY_BARE_TOO static int unreadable(const reader *from, long error)
{
    return hy_problem_note_error(from->problem, error, "cannot read ", from->name, NULL, NULL);
}

/* offset + bytes must lie inside the file. */
HY_BARE_TOO static int fetch(const reader *from, uint64_t offset, void *to, uint64_t bytes)
{
    if (offset <= from->start_bytes && bytes <= from->start_bytes - offset) {
        hy_bare_copy_too(to, from->start + offset, bytes);
        return HAYATE_OK;
    }
    long count = hy_sys4(SYS_pread64, (uint64_t)from->fd, hy_address(to), bytes, offset);
    if (count < 0) return unreadable(from, count);
    if ((uint64_t)count != bytes) return damaged(from, "it ends early");
    return HAYATE_OK;
}

HY_BARE_TOO static bool in_file(const reader *from, uint64_t offset, uint64_t bytes)
{
    return offset <= from->bytes && bytes <= from->bytes - offset;
}

HY_BARE_TOO static int open_file(reader *from)
{
    struct stat about;
    long result = hy_sys2(SYS_fstat, (uint64_t)from->fd, hy_address(&about));
    if (result < 0) return unreadable(from, result);
    from->bytes = (uint64_t)about.st_size;
    long count = hy_sys4(SYS_pread64, (uint64_t)from->fd, hy_address(from->start),
                         sizeof from->start, 0);
    if (count < 0) return unreadable(from, count);
    from->start_bytes = (uint64_t)count;
    if (from->start_bytes > from->bytes)
        from->start_bytes = from->bytes; /* the file has grown meanwhile */
    return HAYATE_OK;
}

HY_BARE_TOO static int elf_refuse(const reader *from, const char *what)
{
    return hy_problem_note(from->problem, HAYATE_ERR_UNSUPPORTED, from->name,
                           " cannot be a task: ", what, NULL);
}

HY_BARE_TOO static bool is_elf(const uint8_t *start)
{
    for (int i = 0; i < SELFMAG; i++)
        if (start[i] != (uint8_t)ELFMAG[i]) return false;
    return true;
}

HY_BARE_TOO static int check_kind(const reader *from, const Elf64_Ehdr *header)
{
    if (header->e_ident[EI_CLASS] == ELFCLASS32) return elf_refuse(from, "it is a 32-bit program");
    if (header->e_ident[EI_CLASS] != ELFCLASS64) return damaged(from, "its class is unknown");
    if (header->e_ident[EI_DATA] != ELFDATA2LSB)
        return elf_refuse(from, "it is for a machine with another byte order");
    if (header->e_ident[EI_VERSION] != EV_CURRENT || header->e_version != EV_CURRENT)
        return damaged(from, "its ELF version is unknown");
    if (header->e_machine != EM_X86_64)
        return elf_refuse(from, "it is for another machine, this one is x86-64");
    if (header->e_type == ET_EXEC)
        return elf_refuse(from, "it has a fixed address; compile and link it with -fPIE -pie, or "
                                "-static-pie (ENOEXEC)");
    if (header->e_type != ET_DYN)
        return elf_refuse(from, "it is not a program but an object file or a core dump");
    return HAYATE_OK;
}

HY_BARE_TOO static int read_headers(const reader *from, const Elf64_Ehdr *header,
                                    Elf64_Phdr *headers)
{
    if (header->e_phentsize != sizeof *headers)
        return damaged(from, "its program headers have a wrong size");
    if (header->e_phnum == 0) return damaged(from, "it has no program headers");
    if (header->e_phnum > HEADERS_MAX) return damaged(from, "it has too many program headers");
    uint64_t bytes = header->e_phnum * sizeof *headers;
    if (!in_file(from, header->e_phoff, bytes))
        return damaged(from, "its program headers lie behind its end");
    return fetch(from, header->e_phoff, headers, bytes);
}

HY_BARE_TOO static int protection_of(uint32_t flags)
{
    return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) |
           (flags & PF_X ? PROT_EXEC : 0);
}

HY_BARE_TOO static int check_segment(const reader *from, const Elf64_Phdr *header)
{
    if (header->p_filesz > header->p_memsz)
        return damaged(from, "a segment is longer in the file than in memory");
    if (!in_file(from, header->p_offset, header->p_filesz))
        return damaged(from, "a segment lies behind its end (is the file cut off?)");
    if (header->p_align > 1 && (header->p_align & (header->p_align - 1)))
        return damaged(from, "the alignment of a segment is not a power of two");
    if (header->p_align > ALIGNMENT_MAX)
        return damaged(from, "the alignment of a segment is too large");
    if (header->p_align > 1 && (header->p_vaddr - header->p_offset) % header->p_align)
        return damaged(from,
                       "the address of a segment and its offset in the file differ in alignment");
    if (header->p_filesz && (header->p_vaddr - header->p_offset) % PAGE)
        return damaged(from, "a segment is not aligned to pages");
    if (header->p_vaddr > UINT64_MAX - 2 * PAGE ||
        header->p_memsz > UINT64_MAX - 2 * PAGE - header->p_vaddr)
        return damaged(from, "a segment wraps around the end of the address space");
    return HAYATE_OK;
}

HY_BARE_TOO static int add_segment(const reader *from, const Elf64_Phdr *header, hy_elf *elf)
{
    if (header->p_memsz == 0) return HAYATE_OK;
    int code = check_segment(from, header);
    if (code) return code;
    if (elf->count == HY_ELF_SEGMENTS_MAX) return damaged(from, "it has too many segments");
    uint64_t start = header->p_vaddr / PAGE * PAGE;
    if (elf->count > 0 && start < elf->high)
        return damaged(from, "its segments overlap, or are not in order");
    if (elf->count == 0) elf->low = start;
    elf->high = (header->p_vaddr + header->p_memsz + PAGE - 1) / PAGE * PAGE;
    if (header->p_align > elf->alignment) elf->alignment = header->p_align;
    hy_elf_segment *segment = &elf->segments[elf->count++];
    segment->address = header->p_vaddr;
    segment->file_bytes = header->p_filesz;
    segment->memory_bytes = header->p_memsz;
    segment->offset = header->p_offset;
    segment->protection = protection_of(header->p_flags);
    return HAYATE_OK;
}

HY_BARE_TOO static int read_interpreter(const reader *from, const Elf64_Phdr *header, hy_elf *elf)
{
    uint64_t bytes = header->p_filesz;
    if (elf->interpreter[0]) return damaged(from, "it names two interpreters");
    if (bytes < 2) return damaged(from, "the name of its interpreter is empty");
    if (bytes > sizeof elf->interpreter)
        return damaged(from, "the name of its interpreter is too long");
    if (!in_file(from, header->p_offset, bytes))
        return damaged(from, "the name of its interpreter lies behind its end");
    int code = fetch(from, header->p_offset, elf->interpreter, bytes);
    if (code) return code;
    if (elf->interpreter[bytes - 1] != '\0')
        return damaged(from, "the name of its interpreter is not terminated");
    if (elf->interpreter[0] == '\0') return damaged(from, "the name of its interpreter is empty");
    return HAYATE_OK;
}

HY_BARE_TOO static int add_header(const reader *from, const Elf64_Phdr *header, hy_elf *elf)
{
    switch (header->p_type) {
    case PT_LOAD: return add_segment(from, header, elf);
    case PT_INTERP: return read_interpreter(from, header, elf);
    case PT_GNU_STACK: elf->executable_stack = header->p_flags & PF_X; return HAYATE_OK;
    default: return HAYATE_OK;
    }
}

/* Programs are told where their headers are in memory: one segment must contain all of them. */
HY_BARE_TOO static void find_headers(const Elf64_Ehdr *header, hy_elf *elf)
{
    uint64_t bytes = header->e_phnum * sizeof(Elf64_Phdr);
    elf->header_count = header->e_phnum;
    for (int i = 0; i < elf->count; i++) {
        const hy_elf_segment *segment = &elf->segments[i];
        if (header->e_phoff < segment->offset) continue;
        uint64_t inside = header->e_phoff - segment->offset;
        if (inside <= segment->file_bytes && bytes <= segment->file_bytes - inside) {
            elf->headers = segment->address + inside;
            return;
        }
    }
}

HY_BARE_TOO static bool is_code(const hy_elf *elf, uint64_t address)
{
    for (int i = 0; i < elf->count; i++) {
        const hy_elf_segment *segment = &elf->segments[i];
        if (address >= segment->address && address - segment->address < segment->memory_bytes)
            return segment->protection & PROT_EXEC;
    }
    return false;
}

HY_BARE_TOO static int check_whole(const reader *from, const hy_elf *elf)
{
    if (elf->count == 0) return damaged(from, "it has no loadable segment");
    if (elf->entry == 0) return elf_refuse(from, "it is a library without an entry point");
    if (!is_code(elf, elf->entry)) return damaged(from, "its entry point is not in its code");
    /* Alignment can need as much space again. */
    if (elf->alignment <= from->room && elf->high - elf->low <= from->room - elf->alignment)
        return HAYATE_OK;
    hy_problem_note(from->problem, HAYATE_ERR_NO_MEMORY, from->name,
                    " does not fit into a partition", NULL, NULL);
    from->problem->needed = elf->high - elf->low + elf->alignment;
    from->problem->room = from->room;
    return HAYATE_ERR_NO_MEMORY;
}

/* Starts reading a file. Members are assigned one by one, because an initialiser would clear the
 * buffer by memset(). */
HY_BARE_TOO static void elf_begin(reader *from, int fd, const char *name, uint64_t room,
                                  hy_problem *problem)
{
    from->fd = fd;
    from->name = name;
    from->room = room;
    from->problem = problem;
}

HY_BARE_TOO static void clear(hy_elf *elf)
{
    for (size_t i = 0; i <= offsetof(hy_elf, interpreter); i++) ((char *)elf)[i] = 0;
}

HY_BARE_TOO int hy_elf_read(int fd, const char *name, uint64_t room, hy_elf *elf,
                            hy_problem *problem)
{
    reader from;
    Elf64_Ehdr header;
    Elf64_Phdr headers[HEADERS_MAX];
    elf_begin(&from, fd, name, room, problem);
    clear(elf);
    elf->alignment = PAGE;
    int code = open_file(&from);
    if (code) return code;
    if (from.start_bytes < SELFMAG || !is_elf(from.start))
        return elf_refuse(&from, "it is neither an ELF program nor a script that begins with #!");
    if (from.start_bytes < sizeof header) return damaged(&from, "its header is cut off");
    hy_bare_copy_too(&header, from.start, sizeof header);
    code = check_kind(&from, &header);
    if (!code) code = read_headers(&from, &header, headers);
    for (int i = 0; !code && i < header.e_phnum; i++) code = add_header(&from, &headers[i], elf);
    if (code) return code;
    elf->entry = header.e_entry;
    find_headers(&header, elf);
    return check_whole(&from, elf);
}
