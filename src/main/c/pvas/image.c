/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads the program and its interpreter one behind the other, then the stack, and divides the rest
 * of the partition into an area for mappings and the heap of brk.
 */
#include "pvas/image.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <hayate/hayate.h>

#include "base/line.h"
#include "pvas/load.h"
#include "pvas/stack.h"

#define STACK_LEAST (UINT64_C(64) << 10)
#define STACK_MOST (UINT64_C(64) << 20)
#define IMAGE_GAP (UINT64_C(1) << 20)

HY_BARE_TOO uint64_t hy_image_room(uint64_t partition_bytes)
{
    return partition_bytes / 4 - HY_IMAGE_OFFSET - IMAGE_GAP;
}

HY_BARE_TOO uint64_t hy_image_stack(uint64_t wanted)
{
    return hy_page_up(wanted < STACK_LEAST ? STACK_LEAST : wanted);
}

HY_BARE_TOO uint64_t hy_image_usual_stack(void)
{
    struct rlimit limit = {STACK_MOST, STACK_MOST};
    hy_sys2(SYS_getrlimit, RLIMIT_STACK, hy_address(&limit));
    return hy_image_stack(limit.rlim_cur < STACK_MOST ? limit.rlim_cur : STACK_MOST);
}

/* The area for mappings comes first: then the memory that a small program uses shares the upper
 * levels of its page tables, which cost more to create and to free than the pages themselves. */
HY_BARE_TOO static void divide(const hy_image *image, uint64_t stack_top)
{
    hy_partition *own = image->own;
    own->map_low = stack_top + HY_GUARD_GAP;
    own->map_high = own->brk_low = own->task.end - image->bytes / 8;
    own->brk_high = own->task.end - HY_GUARD_GAP;
    hy_store_relaxed(&own->brk, own->brk_low);
    hy_store_relaxed(&own->cursor, own->map_low);
}

/* Behind the program, with a gap on both sides: an access beyond the stack faults. */
HY_BARE_TOO static int make_stack(const hy_image *image, uint64_t image_end, uint64_t *top,
                                  hy_problem *problem)
{
    int protection = PROT_READ | PROT_WRITE;
    uint64_t low = image_end + HY_GUARD_GAP;
    if (image->program->elf.executable_stack) protection |= PROT_EXEC;
    *top = low + image->stack_bytes;
    long result = hy_sys6(SYS_mmap, low, image->stack_bytes, (uint64_t)protection,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                          (uint64_t)-1, 0);
    return hy_load_check(result, "the stack of a task", problem);
}

HY_BARE_TOO static void add_tails(hy_start *start, const hy_loaded *loaded)
{
    for (int i = 0; i < loaded->tail_count; i++)
        start->tails[start->tail_count++] = loaded->tails[i];
}

HY_BARE_TOO static int fill_stack(const hy_image *image, const hy_loaded *loaded, uint64_t bias,
                                  uint64_t top, hy_start *start, hy_problem *problem)
{
    const hy_program *program = image->program;
    hy_stack_contents contents = {
        .front = program->words,
        .front_count = program->word_count,
        .script = program->word_count ? program->path : NULL,
        .arguments = image->arguments,
        .environment = image->environment,
        .name = image->path,
        .headers = program->elf.headers ? loaded->bias + program->elf.headers : 0,
        .header_count = program->elf.header_count,
        .entry = loaded->bias + program->elf.entry,
        .interpreter = bias,
        .task = image->own->task.base,
        .inherited = &image->own->inherited};
    return hy_stack_build(&contents, top, image->stack_bytes, &start->stack, problem);
}

/* Execution starts in the interpreter, if there is one. */
HY_BARE_TOO int hy_image_load(const hy_image *image, hy_start *start, hy_problem *problem)
{
    const hy_program *program = image->program;
    hy_loaded loaded, interpreter;
    uint64_t top, base = image->own->task.base;
    start->tail_count = 0;
    interpreter.bias = 0;
    int code = hy_load(program->fd, &program->elf, image->path, base + HY_IMAGE_OFFSET, &loaded,
                       problem);
    if (code) return code;
    uint64_t end = loaded.end;
    add_tails(start, &loaded);
    start->entry = loaded.bias + program->elf.entry;
    if (program->interpreter_fd >= 0) {
        code = hy_load(program->interpreter_fd, &program->interpreter, program->elf.interpreter,
                       end + IMAGE_GAP, &interpreter, problem);
        if (code) return code;
        end = interpreter.end;
        add_tails(start, &interpreter);
        start->entry = interpreter.bias + program->interpreter.entry;
    }
    code = make_stack(image, end, &top, problem);
    if (code) return code;
    divide(image, top);
    return fill_stack(image, &loaded, interpreter.bias, top, start, problem);
}

/* "/proc/self/fd/NUMBER" */
HY_BARE_TOO static void name_descriptor(int fd, char *name)
{
    char digits[12];
    int count = 0;
    for (; fd > 0 || count == 0; fd /= 10) digits[count++] = (char)('0' + fd % 10);
    hy_bare_copy_too(name, "/proc/self/fd/", 14);
    for (name += 14; count > 0;) *name++ = digits[--count];
    *name = '\0';
}

HY_BARE_TOO int hy_image_name(const hy_image *image, hy_start *start, hy_problem *problem)
{
    char name[32];
    const char *word = image->path, *at = word;
    size_t length = 0;
    for (; *at; at++)
        if (*at == '/') word = at + 1;
    for (; word[length] && length < sizeof start->name - 1; length++)
        start->name[length] = word[length];
    start->name[length] = '\0';
    name_descriptor(image->program->fd, name);
    long result = hy_sys4(SYS_readlink, hy_address(name), hy_address(image->own->exe),
                          sizeof image->own->exe - 1, 0);
    if (hy_sys_failed(result))
        return hy_problem_note_error(problem, result, "cannot tell the full name of ", image->path,
                                     NULL, NULL);
    image->own->exe[result] = '\0';
    return HAYATE_OK;
}

#endif
