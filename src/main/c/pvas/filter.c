/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter compares the number of a call by binary search among the listed calls, whose verdicts
 * are jumps to common labels at the end of the program.
 */
#include "pvas/filter.h"

#if defined(__x86_64__)

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "pvas/partition.h"

#define NR_X32 0x40000000u
#define LINEAR 3 /* that few numbers are compared one after the other */
#define LABELS_MAX 48

/* Targets of jumps. */
typedef enum label {
    NEXT,  /* the next instruction */
    ALLOW, /* the kernel carries out the call */
    TRAP,  /* to the handler, if the call was made from inside the partition */
    NULL3, /* TRAP if argument 3 is not NULL; likewise below */
    NULL4,
    NULL5,
    URING,   /* TRAP if the call of io_uring_enter can have a signal mask */
    OUTSIDE, /* TRAP if the first argument is an address outside of the partition */
    RANGE,   /* TRAP if arguments 1 and 2 are a range that could leave the partition */
    SHARES,  /* TRAP if the call makes a process in the same memory that is neither a thread nor
              * waited for */
    NAMED
} label;

typedef struct listed {
    uint32_t number;
    label where;
} listed;

static const listed calls[] = {
    /* Calls that map memory: it is placed in the partition. */
    {SYS_mmap, TRAP},
    {SYS_brk, TRAP},
    {SYS_mremap, TRAP},
    {SYS_shmat, TRAP},
    {SYS_munmap, RANGE},
    {SYS_shmdt, OUTSIDE},

    /* Calls that change memory, which may be that of another task. */
    {SYS_mprotect, RANGE},
    {SYS_pkey_mprotect, RANGE},
    {SYS_madvise, RANGE},
    {SYS_mlock, RANGE},
    {SYS_mlock2, RANGE},
    {SYS_munlock, RANGE},
    {SYS_mbind, RANGE},
    {HY_NR_SET_MEMPOLICY_HOME_NODE, RANGE},
    {SYS_remap_file_pages, RANGE},
    {SYS_move_pages, NULL3}, /* without nodes it only asks */
    {SYS_migrate_pages, TRAP},
    {HY_NR_PROCESS_MADVISE, TRAP}, /* its ranges are in memory */
    {SYS_userfaultfd, TRAP},

    /* SIGSYS must never be blocked; otherwise the kernel kills the task at the next trap. */
    {SYS_rt_sigprocmask, TRAP},
    {SYS_rt_sigaction, TRAP},
    {SYS_rt_sigreturn, TRAP},
    {SYS_rt_sigsuspend, TRAP},
    {SYS_ppoll, NULL3},
    {SYS_epoll_pwait, NULL4},
    {HY_NR_EPOLL_PWAIT2, NULL4},
    {HY_NR_IO_URING_ENTER, URING},
    {SYS_pselect6, NULL5},
    {HY_NR_IO_PGETEVENTS, TRAP},

    /* /proc/self/exe must name the program of the task, not that of its spawner. */
    {SYS_readlink, TRAP},
    {SYS_readlinkat, TRAP},
    {SYS_execve, TRAP},
    {SYS_execveat, TRAP},

    /* Noted, so that the kernel does not write into memory that an exec gives back. */
    {SYS_rseq, TRAP},

    /* Refused by the handler: calls that bring unrelated processes into the address space (the
     * flags of clone3 are in memory, which a filter cannot read; C libraries then use clone), that
     * affect all tasks and the spawner, or that map memory which the kernel would place itself or
     * never release. */
    {SYS_clone, SHARES},
    {HY_NR_CLONE3, TRAP},
    {SYS_mlockall, TRAP},
    {SYS_munlockall, TRAP},
    {SYS_prctl, TRAP},
    {SYS_arch_prctl, TRAP},
    {SYS_io_setup, TRAP},
    {SYS_modify_ldt, TRAP},
    {HY_NR_MAP_SHADOW_STACK, TRAP},
    {HY_NR_MSEAL, TRAP},
};

#define CALLS (sizeof calls / sizeof *calls)
#define NUMBER offsetof(struct seccomp_data, nr)
#define ARCH offsetof(struct seccomp_data, arch)
#define POINTER offsetof(struct seccomp_data, instruction_pointer)
#define ARGUMENT(index) (offsetof(struct seccomp_data, args) + 8 * (size_t)(index))

/* The program under construction. Jumps hold labels until the positions of all labels are known. */
typedef struct writer {
    hy_filter *filter;
    uint64_t base, bytes;
    uint8_t yes[HY_FILTER_MAX], no[HY_FILTER_MAX]; /* labels of the jump with that index */
    uint16_t place[LABELS_MAX];
    uint8_t labels;
} writer;

static void emit(writer *to, struct sock_filter instruction)
{
    to->filter->code[to->filter->count++] = instruction;
}

static void filter_load(writer *to, size_t offset)
{
    emit(to, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void give(writer *to, uint32_t verdict)
{
    emit(to, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

static void branch(writer *to, int comparison, uint32_t value, int yes, int no)
{
    to->yes[to->filter->count] = (uint8_t)yes;
    to->no[to->filter->count] = (uint8_t)no;
    emit(to, (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, 0, 0));
}

static void put_label(writer *to, int name)
{
    to->place[name] = to->filter->count;
}

static uint8_t distance(const writer *to, uint16_t from, uint8_t name)
{
    return name == NEXT ? 0 : (uint8_t)(to->place[name] - from - 1);
}

static void resolve(writer *to)
{
    for (uint16_t i = 0; i < to->filter->count; i++) {
        struct sock_filter *jump = &to->filter->code[i];
        if (BPF_CLASS(jump->code) != BPF_JMP) continue;
        jump->jt = distance(to, i, to->yes[i]);
        jump->jf = distance(to, i, to->no[i]);
    }
}

static void branch_on_word(writer *to, size_t offset, uint32_t mask, uint32_t value, int yes,
                           int no)
{
    filter_load(to, offset);
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    branch(to, BPF_JEQ, value & mask, yes, no);
}

/* Branches on whether the address at `offset` is in the partition. */
static void branch_on_address(writer *to, size_t offset, int inside, int outside)
{
    uint64_t mask = ~(to->bytes - 1);
    uint32_t low = (uint32_t)mask;
    branch_on_word(to, offset + 4, (uint32_t)(mask >> 32), (uint32_t)(to->base >> 32),
                   low ? NEXT : inside, outside);
    if (low) branch_on_word(to, offset, low, (uint32_t)to->base, inside, outside);
}

static void sort_calls(listed *sorted)
{
    for (size_t i = 0; i < CALLS; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1].number > calls[i].number; at--) sorted[at] = sorted[at - 1];
        sorted[at] = calls[i];
    }
}

/* Binary search: when a filter is installed, the kernel runs it once for every existing call. */
static void branch_on_number(writer *to, const listed *sorted, size_t count)
{
    size_t half = count / 2;
    if (count <= LINEAR) {
        for (size_t i = 0; i < count; i++)
            branch(to, BPF_JEQ, sorted[i].number, sorted[i].where, i + 1 < count ? NEXT : ALLOW);
        return;
    }
    int upper = to->labels++;
    branch(to, BPF_JGE, sorted[half].number, upper, NEXT);
    branch_on_number(to, sorted, half);
    put_label(to, upper);
    branch_on_number(to, sorted + half, count - half);
}

static void put_null_test(writer *to, int name, int argument)
{
    put_label(to, name);
    filter_load(to, ARGUMENT(argument));
    branch(to, BPF_JEQ, 0, NEXT, TRAP);
    filter_load(to, ARGUMENT(argument) + 4);
    branch(to, BPF_JEQ, 0, ALLOW, TRAP);
}

/* Loads the number of whole pages in the argument, of which only the bits in `mask` count. */
static void load_pages(writer *to, int argument, uint32_t mask)
{
    filter_load(to, ARGUMENT(argument));
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 12));
    emit(to, (struct sock_filter)BPF_STMT(BPF_MISC | BPF_TAX, 0));
    filter_load(to, ARGUMENT(argument) + 4);
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 20));
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_X, 0));
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
}

/* In pages, because a filter computes with 32 bits. A range that begins in the control area, or
 * ends in one of the last two pages, is left to the handler, which computes exactly. */
static void put_range_test(writer *to)
{
    uint32_t pages = (uint32_t)(to->bytes >> 12);
    put_label(to, RANGE);
    branch_on_address(to, ARGUMENT(0), NEXT, TRAP);
    filter_load(to, ARGUMENT(1) + 4);
    branch(to, BPF_JGT, (uint32_t)(to->bytes >> 32), TRAP, NEXT);
    load_pages(to, 0, pages - 1);
    branch(to, BPF_JGE, (uint32_t)(HY_CONTROL_BYTES >> 12), NEXT, TRAP);
    emit(to, (struct sock_filter)BPF_STMT(BPF_ST, 0));
    load_pages(to, 1, UINT32_MAX);
    emit(to, (struct sock_filter)BPF_STMT(BPF_LDX | BPF_MEM, 0));
    emit(to, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0));
    branch(to, BPF_JGT, pages - 2, TRAP, ALLOW);
}

/* Calls with another calling convention (int 0x80, x32) are always trapped. */
void hy_filter_build(uint64_t base, uint64_t bytes, hy_filter *filter)
{
    writer to = {.filter = filter, .base = base, .bytes = bytes, .labels = NAMED};
    listed sorted[CALLS];
    filter->count = 0;
    sort_calls(sorted);
    filter_load(&to, ARCH);
    branch(&to, BPF_JEQ, AUDIT_ARCH_X86_64, NEXT, TRAP);
    filter_load(&to, NUMBER);
    branch(&to, BPF_JGE, NR_X32, TRAP, NEXT);
    branch_on_number(&to, sorted, CALLS);
    put_null_test(&to, NULL3, 3);
    put_label(&to, URING);
    filter_load(&to, ARGUMENT(3));
    branch(&to, BPF_JSET, HY_URING_REGISTERED, TRAP, NEXT);
    put_null_test(&to, NULL4, 4);
    put_null_test(&to, NULL5, 5);
    put_label(&to, SHARES);
    filter_load(&to, ARGUMENT(0));
    branch(&to, BPF_JSET, CLONE_THREAD | CLONE_VFORK, ALLOW, NEXT);
    branch(&to, BPF_JSET, CLONE_VM, TRAP, ALLOW);
    put_range_test(&to);
    put_label(&to, OUTSIDE);
    branch_on_address(&to, ARGUMENT(0), ALLOW, TRAP);
    put_label(&to, TRAP);
    branch_on_address(&to, POINTER, NEXT, ALLOW);
    give(&to, SECCOMP_RET_TRAP | HY_TRAP_MARK);
    put_label(&to, ALLOW);
    give(&to, SECCOMP_RET_ALLOW);
    resolve(&to);
}

#endif
