/* SPDX-License-Identifier: Apache-2.0 */
#include "pvas/stack.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/status.h"
#include "base/task.h"

#define ALIGNMENT UINT64_C(16)
#define RANDOM_BYTES 16

/* Newer than some headers. */
#define RSEQ_FEATURE_SIZE 27
#define RSEQ_ALIGN 28
#define HARDWARE3 29
#define HARDWARE4 30
#define MINIMAL_SIGNAL_STACK 51

typedef struct builder {
    uint64_t *word;   /* where the next of the vectors goes, upwards */
    char *characters; /* where the last string was put, downwards */
} builder;

typedef struct sizes {
    uint64_t arguments, variables; /* numbers */
    uint64_t characters;
} sizes;

static uint64_t count(char *const *list, uint64_t *characters)
{
    uint64_t number = 0;
    for (; list[number]; number++) *characters += strlen(list[number]) + 1;
    return number;
}

static sizes measure(const hy_stack_contents *contents)
{
    sizes all = {0};
    for (int i = 0; i < contents->front_count; i++)
        all.characters += strlen(contents->front[i]) + 1;
    if (contents->script) all.characters += strlen(contents->script) + 1;
    all.arguments = count(contents->arguments, &all.characters) + (uint64_t)contents->front_count;
    if (contents->script) all.arguments++;
    all.variables = count(contents->environment, &all.characters);
    all.characters += strlen(contents->name) + 1 + sizeof "x86_64" + RANDOM_BYTES + ALIGNMENT;
    return all;
}

static uint64_t put_string(builder *to, const char *text)
{
    size_t bytes = strlen(text) + 1;
    to->characters -= bytes;
    memcpy(to->characters, text, bytes);
    return (uint64_t)(uintptr_t)to->characters;
}

static void put_list(builder *to, char *const *list)
{
    for (; *list; list++) *to->word++ = put_string(to, *list);
    *to->word++ = 0;
}

/* argv[0] of a script is its name, of its interpreter the latter's. */
static void put_arguments(builder *to, const hy_stack_contents *contents)
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

static void put_aux(builder *to, uint64_t type, uint64_t value)
{
    *to->word++ = type;
    *to->word++ = value;
}

/* What the kernel told this process about the machine. */
static void put_machine(builder *to)
{
    static const uint64_t types[] = {AT_SYSINFO_EHDR,   AT_HWCAP,   AT_HWCAP2,
                                     HARDWARE3,         HARDWARE4,  MINIMAL_SIGNAL_STACK,
                                     RSEQ_FEATURE_SIZE, RSEQ_ALIGN, AT_CLKTCK};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        errno = 0;
        uint64_t value = getauxval(types[i]);
        if (value || errno == 0) put_aux(to, types[i], value);
    }
}

/* Enough for all put_aux() of both functions. */
#define AUX_MAX 40

static void put_vector(builder *to, const hy_stack_contents *contents, uint64_t random)
{
    int error = errno;
    put_machine(to);
    errno = error;
    put_aux(to, AT_PAGESZ, 4096);
    put_aux(to, AT_PHDR, contents->headers);
    put_aux(to, AT_PHENT, sizeof(Elf64_Phdr));
    put_aux(to, AT_PHNUM, contents->header_count);
    put_aux(to, AT_BASE, contents->interpreter);
    put_aux(to, AT_FLAGS, 0);
    put_aux(to, AT_ENTRY, contents->entry);
    put_aux(to, AT_UID, getuid());
    put_aux(to, AT_EUID, geteuid());
    put_aux(to, AT_GID, getgid());
    put_aux(to, AT_EGID, getegid());
    /* As exec would say: the environment of a setuid process is not to be trusted. */
    put_aux(to, AT_SECURE, getauxval(AT_SECURE) || getuid() != geteuid() || getgid() != getegid());
    put_aux(to, AT_RANDOM, random);
    put_aux(to, AT_EXECFN, put_string(to, contents->name));
    put_aux(to, AT_PLATFORM, put_string(to, "x86_64"));
    put_aux(to, HY_AT_TASK, contents->task);
    put_aux(to, AT_NULL, 0);
}

static uint64_t put_random(builder *to)
{
    to->characters -= RANDOM_BYTES;
    if (getrandom(to->characters, RANDOM_BYTES, GRND_NONBLOCK) != RANDOM_BYTES)
        memcpy(to->characters, (const void *)getauxval(AT_RANDOM), RANDOM_BYTES);
    return (uint64_t)(uintptr_t)to->characters;
}

int hy_stack_build(const hy_stack_contents *contents, uint64_t top, uint64_t bytes, uint64_t *start)
{
    sizes all = measure(contents);
    uint64_t words = 1 + all.arguments + 1 + all.variables + 1 + 2 * AUX_MAX;
    if (all.characters + 8 * words > bytes / 4) {
        errno = E2BIG;
        return hy_fail_errno("arguments and environment have %llu bytes, the stack %llu",
                             (unsigned long long)(all.characters + 8 * words),
                             (unsigned long long)bytes);
    }
    *start = (top - all.characters - 8 * words) & ~(ALIGNMENT - 1);
    builder to = {(uint64_t *)(uintptr_t)*start, (char *)(uintptr_t)top};
    uint64_t random = put_random(&to); /* first: it is aligned, as top is */
    *to.word++ = all.arguments - (contents->script && contents->arguments[0] ? 1 : 0);
    put_arguments(&to, contents);
    put_list(&to, contents->environment);
    put_vector(&to, contents, random);
    return HAYATE_OK;
}
