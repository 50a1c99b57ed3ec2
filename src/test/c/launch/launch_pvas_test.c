/* SPDX-License-Identifier: Apache-2.0 */
/* hayate run --pvas: what is different from processes. What is alike is in the other suites, which
 * run both ways. */
#include "launch_fixture.h"

#include <elf.h>
#include <sys/stat.h>

TEST(should_put_all_ranks_into_one_address_space)
{
    launched *job = run_to(0, "exec $RUN -n 5 $SELF --rank space");
    for (int rank = 0; rank < 5; rank++)
        assert_says(job->out, "rank %d: 5 here, 5 read, 5 mapped alike, 1 segments\n", rank);
}

TEST(should_let_a_rank_that_execs_join_as_a_process)
{
    launched *job = run_to(0, "exec $RUN -n 3 $SELF --rank 'half exec'");
    assert_says(job->out, "rank 0: 2 here, 2 read, 2 mapped alike, 1 segments\n");
    assert_says(job->out, "rank 1: 0 here, 0 read, 0 mapped alike, 1 segments\n");
    assert_says(job->out, "rank 2: 2 here, 2 read, 2 mapped alike, 1 segments\n");
    assert_int_equal(count_of(job->err, "\n"), 1);
    assert_says(job->err, "hayate: warning: rank 1 (pid ");
    assert_says(job->err, ") is a separate process, not a task: it executed a program (exec) "
                          "while it had several threads");
}

TEST(should_keep_ranks_tasks_behind_scripts_that_end_in_exec)
{
    launched *job = run("exec $RUN -n 3 env $SELF --rank space");
    assert_int_equal(count_of(job->out, ": 3 here, 3 read, 3 mapped alike, 1 segments\n"), 3);
    assert_string_equal(job->err, "");
    job = run("d=$(mktemp -d); printf '#!/bin/sh\ncd /; x=$(echo %s | tr a b)\n"
              "exec env A=b \"$SELF\" \"$@\"\n' $x > $d/script; chmod +x $d/script; "
              "cd $d; $RUN -n 2 ./script --rank space; echo ended $?; rm -r $d");
    assert_int_equal(count_of(job->out, ": 2 here, 2 read, 2 mapped alike, 1 segments\n"), 2);
    assert_says(job->out, "ended 0\n");
    assert_string_equal(job->err, "");
}

TEST(should_let_a_child_of_a_task_join_as_a_process)
{
    launched *job = run_to(0, "exec $RUN -n 2 sh -c '$SELF --rank space; exit $?'");
    assert_int_equal(count_of(job->out, ": 0 here, 0 read, 0 mapped alike, 1 segments\n"), 2);
    assert_int_equal(count_of(job->err, "is a separate process, not a task: "), 1);
    assert_says(job->err, "'sh' started it as a child");
}

TEST(should_name_the_way_when_direct_is_forced_upon_processes)
{
    launched *job = run_to(0, "exec $RUN -n 2 -x HAYATE_RENDEZVOUS=direct $SELF --rank init");
    job = run("exec $RUN -n 2 -x HAYATE_RENDEZVOUS=direct $SELF --rank 'half init'");
    assert_int_equal(job->status, 5);
    assert_int_equal(count_of(job->out,
                              "direct: rank 1 is a separate process, not a task, although "
                              "hayate run --pvas started it"),
                     2);
    job = run("exec $HAYATE_RUN -n 2 -x HAYATE_RENDEZVOUS=direct $SELF --rank init");
    assert_int_equal(count_of(job->out, "start the ranks with hayate run --pvas"), 2);
}

TEST(should_keep_the_segment_when_a_rank_leaves)
{
    launched *job = run_to(0, "exec $RUN -n 4 $SELF --rank outlive");
    assert_string_equal(job->out, "still 7\n");
}

TEST(should_start_many_tasks)
{
    launched *job = run_to(0, "exec $RUN -n 128 --heap 64M $SELF --rank space");
    assert_int_equal(count_of(job->out, ": 128 here, 128 read, 128 mapped alike, 1 segments\n"),
                     128);
}

TEST(should_take_the_partition_that_is_asked_for)
{
    launched *job = run_to(0, "exec $RUN -n 2 --partition 1G $SELF --rank space");
    assert_int_equal(count_of(job->out, "2 here, 2 read"), 2);
    job = run_to(0, "exec $RUN -n 2 --partition=2T $SELF --rank space");
}

TEST(should_refuse_partitions_that_do_not_fit)
{
    launched *job = run_to(1, "exec $RUN -n 4096 --partition 4T true");
    assert_says(job->err, "hayate: cannot run 4096 ranks as tasks: ");
    assert_int_equal(count_of(job->err, "\n"), 1);
}

TEST(should_refuse_a_partition_that_is_no_power_of_two)
{
    launched *job = run_to(
        2, "$RUN -n 1 --partition 3G true; $RUN -n 1 --partition 512M true; "
           "$RUN -n 1 --partition 8T true; exec $HAYATE_RUN -n 1 --partition 1G true");
    assert_int_equal(count_of(job->err, "expected a power of two from 1G to 4T"), 3);
    assert_says(job->err, "--partition needs --pvas");
}

/* The smallest program that is not position-independent: it exits with 0. */
static void write_fixed_program(const char *path)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr text;
        uint8_t code[16];
    } file = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_entry = 0x400000 + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
                   .e_phoff = sizeof(Elf64_Ehdr),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1},
        .text = {.p_type = PT_LOAD,
                 .p_flags = PF_R | PF_X,
                 .p_vaddr = 0x400000,
                 .p_filesz = sizeof file,
                 .p_memsz = sizeof file,
                 .p_align = 4096},
        .code = {0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05}, /* exit(0) */
    };
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    assert_int_equal(write(fd, &file, sizeof file), sizeof file);
    close(fd);
}

TEST(should_say_why_a_program_cannot_be_a_task)
{
    char path[] = "/tmp/hayate-fixed-XXXXXX", command[128];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_fixed_program(path);
    chmod(path, 0755);
    snprintf(command, sizeof command, "exec $HAYATE_RUN -n 2 %s", path);
    launched *job = run(command);
    assert_int_equal(job->status, 0); /* as processes it runs */
    snprintf(command, sizeof command, "exec $RUN -n 2 %s", path);
    job = run(command);
    unlink(path);
    assert_int_equal(job->status, 126);
    assert_says(job->err, "' as a task: ");
    assert_int_equal(count_of(job->err, "cannot run"), 1);
}

TEST(should_advise_when_a_jvm_with_zgc_fails)
{
    launched *job = run_to(1, "exec $RUN -n 2 sh -c 'exit 1' java -XX:+UseZGC");
    assert_says(job->err, "cannot run in a task: use -XX:+UseG1GC");
    job = run("exec $HAYATE_RUN -n 2 sh -c 'exit 1' java -XX:+UseZGC");
    assert_silent_about(job->err, "cannot run in a task");
}

LAUNCH_TEST_MAIN_TASKS()
