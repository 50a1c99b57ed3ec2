/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for code that runs without a C library: between clone and the first instruction of the
 * program, in the handler of a task's trapped calls, and in the guard. Such code has no
 * thread-local storage (so no errno and no stack protector), calls only functions that are marked
 * HY_BARE, and is not instrumented by sanitizers. System calls return what the kernel returns:
 * -errno on failure.
 *
 * Functions that the spawner calls as well are marked HY_BARE_TOO: they are instrumented together
 * with the spawner, so that sanitizers watch them read hostile files. In a sanitizer build, bare
 * code must not call them (in_place.h).
 */
#ifndef HY_PVAS_BARE_H
#define HY_PVAS_BARE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The last attribute prevents gcc from replacing loops by calls of memset and strlen. */
#define HY_BARE_TOO \
    __attribute__((no_stack_protector, optimize("no-tree-loop-distribute-patterns")))
#define HY_BARE \
    HY_BARE_TOO __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))

#if defined(__x86_64__)

HY_BARE static inline long hy_sys6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                   uint64_t e, uint64_t f)
{
    long result;
    register uint64_t r10 __asm__("r10") = d;
    register uint64_t r8 __asm__("r8") = e;
    register uint64_t r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#else

/* Some functions below are used on other machines as well. */
static inline long hy_sys6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                           uint64_t f)
{
    long result = syscall(number, a, b, c, d, e, f);
    return result < 0 ? -errno : result;
}

#endif

HY_BARE static inline long hy_sys4(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return hy_sys6(number, a, b, c, d, 0, 0);
}

HY_BARE static inline long hy_sys2(long number, uint64_t a, uint64_t b)
{
    return hy_sys6(number, a, b, 0, 0, 0, 0);
}

HY_BARE static inline bool hy_sys_failed(long result)
{
    return (unsigned long)result > -4096ul;
}

#define hy_address(pointer) ((uint64_t)(uintptr_t)(pointer))
#define hy_at(type, address) ((type *)(uintptr_t)(address))

/* Like hy_bare_copy(), but instrumented by sanitizers. */
HY_BARE_TOO static inline void hy_bare_copy_too(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];
}

HY_BARE_TOO static inline size_t hy_bare_length(const char *text)
{
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

#if defined(__x86_64__)

#define HY_PAGE UINT64_C(4096)

HY_BARE static inline uint64_t hy_page_up(uint64_t value)
{
    return (value + HY_PAGE - 1) & ~(HY_PAGE - 1);
}

HY_BARE static inline uint64_t hy_page_down(uint64_t value)
{
    return value & ~(HY_PAGE - 1);
}

HY_BARE static inline void hy_bare_copy(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

HY_BARE static inline void hy_bare_clear(void *to, size_t bytes)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
}

/* Reads a decimal number and moves *text behind it. -1: there is no number, or it does not fit into
 * an int. */
HY_BARE static inline int hy_bare_number(const char **text)
{
    int64_t value = -1;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        value = (value < 0 ? 0 : value) * 10 + (**text - '0');
        if (value > INT32_MAX) return -1;
    }
    return (int)value;
}

/* The kernel's struct sigaction and its signal set. */
typedef struct hy_action {
    uint64_t handler, flags, restorer, mask;
} hy_action;

#define HY_SIGNALS 64
#define hy_signal_bit(signal) (UINT64_C(1) << ((signal)-1))
#define HY_SA_RESTORER UINT64_C(0x04000000)

/* The functions below are in bare_x86_64.c. */

/* Like clone(2), with the child on `stack`, where it calls run(argument), which must not return. */
long hy_bare_clone(uint64_t flags, void *stack, int *parent_word, int *child_word,
                   void (*run)(void *), void *argument);

/* Like clone3(2), with the child on the stack that `arguments`, a struct clone_args, names. */
long hy_bare_clone3(const void *arguments, size_t bytes, void (*run)(void *), void *argument);

/* Calls run(argument) on another stack, and returns. */
void hy_bare_call_on(void *stack, void (*run)(void *), void *argument);

/* Enters a program as the kernel does after exec: all registers but the stack pointer are
 * cleared. */
_Noreturn void hy_bare_enter(uint64_t stack, uint64_t entry);

/* Addresses of code, not functions: where a signal handler returns to, and where a thread continues
 * to repeat a trapped call from outside of its partition (trap.h). */
extern const char hy_bare_restorer[], hy_bare_resume[];

#endif
#endif
