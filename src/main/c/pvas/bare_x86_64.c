/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of bare code that need assembler: system calls that return on another stack, the entry
 * into a program, and the code to which a signal handler returns.
 */
#include "pvas/bare.h"

#if defined(__x86_64__)

/* clang-format off */
__asm__(
    ".text\n"

    /* rdi flags, rsi stack, rdx parent_word, rcx child_word, r8 run, r9 argument. The child does
     * not have the caller's stack frame: it uses only registers until it calls run. */
    ".globl hy_bare_clone\n"
    ".hidden hy_bare_clone\n"
    ".type hy_bare_clone, @function\n"
    "hy_bare_clone:\n"
    ".cfi_startproc\n"
    "    push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_rel_offset rbx, 0\n"
    "    mov %r8, %rbx\n"
    "    mov %rcx, %r10\n"
    "    xor %r8d, %r8d\n"
    "    mov $56, %eax\n"
    "    syscall\n"
    "    test %rax, %rax\n"
    "    jz 1f\n"
    "    pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    ".cfi_restore rbx\n"
    "    ret\n"
    "1:\n"
    ".cfi_undefined rip\n"
    "    xor %ebp, %ebp\n"
    "    mov %r9, %rdi\n"
    "    call *%rbx\n"
    "    hlt\n"
    ".cfi_endproc\n"
    ".size hy_bare_clone, . - hy_bare_clone\n"

    /* rdi arguments, rsi bytes, rdx run, rcx argument. */
    ".globl hy_bare_clone3\n"
    ".hidden hy_bare_clone3\n"
    ".type hy_bare_clone3, @function\n"
    "hy_bare_clone3:\n"
    ".cfi_startproc\n"
    "    mov %rcx, %r8\n"
    "    mov $435, %eax\n"
    "    syscall\n"
    "    test %rax, %rax\n"
    "    jz 1f\n"
    "    ret\n"
    "1:\n"
    ".cfi_undefined rip\n"
    "    xor %ebp, %ebp\n"
    "    mov %r8, %rdi\n"
    "    call *%rdx\n"
    "    hlt\n"
    ".cfi_endproc\n"
    ".size hy_bare_clone3, . - hy_bare_clone3\n"

    /* rdi stack, rsi run, rdx argument. */
    ".globl hy_bare_call_on\n"
    ".hidden hy_bare_call_on\n"
    ".type hy_bare_call_on, @function\n"
    "hy_bare_call_on:\n"
    ".cfi_startproc\n"
    "    push %rbp\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_rel_offset rbp, 0\n"
    "    mov %rsp, %rbp\n"
    ".cfi_def_cfa_register rbp\n"
    "    mov %rdi, %rsp\n"
    "    mov %rdx, %rdi\n"
    "    call *%rsi\n"
    "    mov %rbp, %rsp\n"
    ".cfi_def_cfa_register rsp\n"
    "    pop %rbp\n"
    ".cfi_adjust_cfa_offset -8\n"
    ".cfi_restore rbp\n"
    "    ret\n"
    ".cfi_endproc\n"
    ".size hy_bare_call_on, . - hy_bare_call_on\n"

    /* rdi stack, rsi entry. */
    ".globl hy_bare_enter\n"
    ".hidden hy_bare_enter\n"
    ".type hy_bare_enter, @function\n"
    "hy_bare_enter:\n"
    ".cfi_startproc\n"
    ".cfi_undefined rip\n"
    "    mov %rdi, %rsp\n"
    "    mov %rsi, %rax\n"
    "    fninit\n"
    "    movl $0x1f80, -8(%rsp)\n"
    "    ldmxcsr -8(%rsp)\n"
    "    cld\n"
    "    xor %ebx, %ebx\n"
    "    xor %ecx, %ecx\n"
    "    xor %edx, %edx\n" /* rdx: a function for atexit(); there is none */
    "    xor %esi, %esi\n"
    "    xor %edi, %edi\n"
    "    xor %ebp, %ebp\n"
    "    xor %r8d, %r8d\n"
    "    xor %r9d, %r9d\n"
    "    xor %r10d, %r10d\n"
    "    xor %r11d, %r11d\n"
    "    xor %r12d, %r12d\n"
    "    xor %r13d, %r13d\n"
    "    xor %r14d, %r14d\n"
    "    xor %r15d, %r15d\n"
    "    jmp *%rax\n"
    ".cfi_endproc\n"
    ".size hy_bare_enter, . - hy_bare_enter\n"

    /* Unwinders recognise a signal frame by exactly these bytes. */
    ".globl hy_bare_restorer\n"
    ".hidden hy_bare_restorer\n"
    "    nop\n"
    "hy_bare_restorer:\n"
    "    mov $15, %rax\n"
    "    syscall\n"

    /* rcx: where the program continues, r11: a signal set; a system call overwrites both anyway.
     * Makes a hy_resume (trap.h) below the red zone of the program. */
    ".globl hy_bare_resume\n"
    ".hidden hy_bare_resume\n"
    "hy_bare_resume:\n"
    "    lea -160(%rsp), %rsp\n"
    "    mov %rcx, (%rsp)\n"
    "    mov %r11, 8(%rsp)\n"
    "    lea 8(%rsp), %rcx\n"
    "    mov %rcx, 16(%rsp)\n"
    "    movq $8, 24(%rsp)\n"
    "    syscall\n"
    "    mov (%rsp), %rcx\n"
    "    lea 160(%rsp), %rsp\n"
    "    jmp *%rcx\n");
/* clang-format on */

#endif
