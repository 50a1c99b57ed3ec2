/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures strings and vectors, checks that they fit, and writes them: strings downwards from the
 * top, vectors upwards from the initial stack pointer.
 */
#include "pvas/stack.h"

#if defined(__x86_64__)

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include <hayate/hayate.h>

#include "base/task.h"

#define ALIGNMENT UINT64_C(16)
#define RANDOM_BYTES sizeof((hy_inherited *)0)->random
#define PLATFORM "x86_64"

/* Not in all headers yet. */
#define RSEQ_FEATURE_SIZE 27
#define RSEQ_ALIGN 28
#define HARDWARE3 29
#define HARDWARE4 30
#define MINIMAL_SIGNAL_STACK 51

typedef struct builder {
    uint64_t *word;   /* where the next word of the vectors goes, upwards */
    char *characters; /* the last string that was written; strings grow downwards */
} builder;

typedef struct sizes {
    uint64_t arguments, variables; /* counts */
    uint64_t characters;
} sizes;

/* Copies what the kernel told the spawner about the machine. */
void hy_stack_inherit(hy_inherited *inherited)
{
    static const uint64_t types[HY_INHERITED_MAX] = {
        AT_SYSINFO_EHDR,      AT_HWCAP,          AT_HWCAP2,  HARDWARE3, HARDWARE4,
        MINIMAL_SIGNAL_STACK, RSEQ_FEATURE_SIZE, RSEQ_ALIGN, AT_CLKTCK};
    int error = errno;
    inherited->count = 0;
    inherited->secure = getauxval(AT_SECURE) != 0;
    hy_bare_copy(inherited->random, (const void *)getauxval(AT_RANDOM), RANDOM_BYTES);
    for (size_t i = 0; i < HY_INHERITED_MAX && types[i]; i++) {
        errno = 0;
        uint64_t value = getauxval(types[i]);
        if (!value && errno) continue;
        inherited->words[inherited->count++] = types[i];
        inherited->words[inherited->count++] = value;
    }
    errno = error;
}

HY_BARE_TOO static uint64_t stack_count(char *const *list, uint64_t *characters)
{
    uint64_t number = 0;
    for (; list[number]; number++) *characters += hy_bare_length(list[number]) + 1;
    return number;
}

HY_BARE_TOO static sizes measure(const hy_stack_contents *contents)
{
    sizes all = {0};
    for (int i = 0; i < contents->front_count; i++)
        all.characters += hy_bare_length(contents->front[i]) + 1;
    if (contents->script) all.characters += hy_bare_length(contents->script) + 1;
    all.arguments = stack_count(contents->arguments, &all.characters) +
                    (uint64_t)contents->front_count;
    if (contents->script) all.arguments++;
    all.variables = stack_count(contents->environment, &all.characters);
    all.characters += hy_bare_length(contents->name) + 1 + sizeof PLATFORM + RANDOM_BYTES +
                      ALIGNMENT;
    return all;
}

HY_BARE_TOO static uint64_t put_string(builder *to, const char *text)
{
    size_t bytes = hy_bare_length(text) + 1;
    to->characters -= bytes;
    hy_bare_copy_too(to->characters, text, bytes);
    return (uint64_t)(uintptr_t)to->characters;
}

HY_BARE_TOO static void put_list(builder *to, char *const *list)
{
    for (; *list; list++) *to->word++ = put_string(to, *list);
    *to->word++ = 0;
}

/* argv[0] is the script's name for a script, and the interpreter's for its interpreter. */
HY_BARE_TOO static void put_arguments(builder *to, const hy_stack_contents *contents)
{
    char *const *rest = contents->arguments;
    for (int i = 0; i < contents->front_count; i++)
        *to->word++ = put_string(to, contents->front[i]);
    if (contents->script) {
        *to->word++ = put_string(to, contents->script);
        if (*rest) rest++;
    }
    put_list(to, rest);
}

HY_BARE_TOO static void put_aux(builder *to, uint64_t type, uint64_t value)
{
    *to->word++ = type;
    *to->word++ = value;
}

/* Sufficient for what is inherited and for all put_aux(). */
#define AUX_MAX 40

HY_BARE_TOO static void put_ids(builder *to, bool secure)
{
    uint64_t user = (uint64_t)hy_sys2(SYS_getuid, 0, 0),
             group = (uint64_t)hy_sys2(SYS_getgid, 0, 0);
    uint64_t as_user = (uint64_t)hy_sys2(SYS_geteuid, 0, 0);
    uint64_t as_group = (uint64_t)hy_sys2(SYS_getegid, 0, 0);
    put_aux(to, AT_UID, user);
    put_aux(to, AT_EUID, as_user);
    put_aux(to, AT_GID, group);
    put_aux(to, AT_EGID, as_group);
    /* As exec reports: the environment of a setuid process is not trusted. */
    put_aux(to, AT_SECURE, secure || user != as_user || group != as_group);
}

HY_BARE_TOO static void put_vector(builder *to, const hy_stack_contents *contents, uint64_t random)
{
    for (uint32_t i = 0; i < contents->inherited->count; i++)
        *to->word++ = contents->inherited->words[i];
    put_aux(to, AT_PAGESZ, 4096);
    put_aux(to, AT_PHDR, contents->headers);
    put_aux(to, AT_PHENT, sizeof(Elf64_Phdr));
    put_aux(to, AT_PHNUM, contents->header_count);
    put_aux(to, AT_BASE, contents->interpreter);
    put_aux(to, AT_FLAGS, 0);
    put_aux(to, AT_ENTRY, contents->entry);
    put_ids(to, contents->inherited->secure);
    put_aux(to, AT_RANDOM, random);
    put_aux(to, AT_EXECFN, put_string(to, contents->name));
    put_aux(to, AT_PLATFORM, put_string(to, PLATFORM));
    put_aux(to, HY_AT_TASK, contents->task);
    put_aux(to, AT_NULL, 0);
}

HY_BARE_TOO static uint64_t put_random(builder *to, const hy_inherited *inherited)
{
    to->characters -= RANDOM_BYTES;
    hy_bare_copy_too(to->characters, inherited->random, RANDOM_BYTES);
    hy_sys4(SYS_getrandom, hy_address(to->characters), RANDOM_BYTES, GRND_NONBLOCK, 0);
    return (uint64_t)(uintptr_t)to->characters;
}

HY_BARE_TOO static uint64_t words_of(const sizes *all)
{
    return 1 + all->arguments + 1 + all->variables + 1 + 2 * AUX_MAX;
}

HY_BARE_TOO static bool is_too_much(const sizes *all, uint64_t bytes)
{
    return all->characters + 8 * words_of(all) > bytes / 4;
}

HY_BARE_TOO bool hy_stack_fits(char *const *arguments, char *const *environment, uint64_t more,
                               uint64_t bytes)
{
    sizes all = {.characters = more};
    all.arguments = stack_count(arguments, &all.characters);
    all.variables = stack_count(environment, &all.characters);
    return !is_too_much(&all, bytes);
}

HY_BARE_TOO int hy_stack_build(const hy_stack_contents *contents, uint64_t top, uint64_t bytes,
                               uint64_t *start, hy_problem *problem)
{
    sizes all = measure(contents);
    uint64_t words = words_of(&all);
    if (is_too_much(&all, bytes))
        return hy_problem_note_error(problem, -E2BIG,
                                     "arguments and environment need more than a quarter of the "
                                     "stack (ulimit -s)",
                                     NULL, NULL, NULL);
    *start = (top - all.characters - 8 * words) & ~(ALIGNMENT - 1);
    builder to = {(uint64_t *)(uintptr_t)*start, (char *)(uintptr_t)top};
    uint64_t random = put_random(&to, contents->inherited); /* first: it is aligned, as `top` is */
    *to.word++ = all.arguments - (contents->script && contents->arguments[0] ? 1 : 0);
    put_arguments(&to, contents);
    put_list(&to, contents->environment);
    put_vector(&to, contents, random);
    return HAYATE_OK;
}

#endif
