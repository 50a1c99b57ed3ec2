/* SPDX-License-Identifier: Apache-2.0 */
/* All ways of a program to get memory from the system, each inside its own partition. The test says
 * where that is: "BASE END" in hexadecimal on stdin, after this said "ready". */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "pvas/task.h"

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif
#define MEGA ((size_t)1 << 20)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

static uintptr_t base, end;

static void learn_partition(void)
{
    char line[128];
    unsigned long from = 0, to = 0;
    SAY("ready\n");
    CHECK(hear(line, sizeof line) && sscanf(line, "%lx %lx", &from, &to) == 2);
    base = from, end = to;
    CHECK((uintptr_t)&base >= base && (uintptr_t)&base < end); /* its text is there too */
    CHECK((uintptr_t)line >= base && (uintptr_t)line < end);
}

static int inside(const void *memory, size_t bytes)
{
    return (uintptr_t)memory >= base && (uintptr_t)memory + bytes <= end;
}

static char *map(void *hint, size_t bytes, int flags)
{
    char *memory = mmap(hint, bytes, PROT_READ | PROT_WRITE, ANONYMOUS | flags, -1, 0);
    if (memory != MAP_FAILED) CHECK(inside(memory, bytes));
    return memory;
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

typedef struct block {
    unsigned char *at;
    size_t bytes;
    unsigned char fill;
} block;

static void check_block(const block *b)
{
    for (size_t i = 0; i < b->bytes; i += 509) CHECK(b->at[i] == b->fill);
    if (b->bytes) CHECK(b->at[b->bytes - 1] == b->fill);
}

static void change_block(block *b, unsigned *seed)
{
    size_t bytes = 1 + next(seed) % (next(seed) % 40 == 0 ? 700000 : 3000);
    if (b->at) check_block(b);
    if (b->at && next(seed) % 2) {
        free(b->at);
        *b = (block){0};
        return;
    }
    unsigned char *memory = realloc(b->at, bytes);
    CHECK(memory && inside(memory, bytes));
    for (size_t i = 0; b->at && i < bytes && i < b->bytes; i += 509) CHECK(memory[i] == b->fill);
    *b = (block){memory, bytes, (unsigned char)next(seed)};
    memset(memory, b->fill, bytes);
}

static void *stress_malloc(void *argument)
{
    enum { BLOCKS = 100, ROUNDS = 6000 };
    block blocks[BLOCKS] = {{0}};
    unsigned seed = (unsigned)(uintptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) change_block(&blocks[next(&seed) % BLOCKS], &seed);
    for (int i = 0; i < BLOCKS; i++) {
        check_block(&blocks[i]);
        free(blocks[i].at);
    }
    return NULL;
}

/* mmap, munmap, mremap of everything between a page and 8 MB, told from others by their contents.
 */
static void *stress_maps(void *argument)
{
    enum { BLOCKS = 24, ROUNDS = 1500 };
    block blocks[BLOCKS] = {{0}};
    unsigned seed = (unsigned)(uintptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        block *b = &blocks[next(&seed) % BLOCKS];
        size_t bytes = 4096 * (1 + next(&seed) % (i % 20 ? 16 : 2048));
        if (!b->at) {
            *b = (block){(unsigned char *)map(NULL, bytes, 0), bytes, (unsigned char)i};
            CHECK(b->at != MAP_FAILED && b->at[0] == 0 && b->at[bytes - 1] == 0);
        } else if (next(&seed) % 2) {
            CHECK(b->at[0] == b->fill && munmap(b->at, b->bytes) == 0);
            *b = (block){0};
            continue;
        } else {
            unsigned char *moved = mremap(b->at, b->bytes, bytes, MREMAP_MAYMOVE);
            CHECK(moved != MAP_FAILED && inside(moved, bytes) && moved[0] == b->fill);
            *b = (block){moved, bytes, b->fill};
        }
        b->at[0] = b->at[bytes - 1] = b->fill;
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].at) munmap(blocks[i].at, blocks[i].bytes);
    return NULL;
}

/* Threads of both kinds; then waits, so that the test can look at the mappings. */
static int stress(int argc, char **argv)
{
    pthread_t threads[4];
    uintptr_t seed = (uintptr_t)number(argc, argv, 0, 1) * 77;
    learn_partition();
    for (uintptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, i % 2 ? stress_malloc : stress_maps,
                             (void *)(seed + i)) == 0);
    stress_malloc((void *)(seed + 5));
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    SAY("stressed\n");
    await_word();
    return 0;
}

static uintptr_t brk_to(uintptr_t to)
{
    return (uintptr_t)syscall(SYS_brk, to);
}

static int breaks(int argc, char **argv)
{
    (void)argc, (void)argv;
    learn_partition();
    uintptr_t start = brk_to(0);
    CHECK(inside((void *)start, 1));
    for (size_t i = 1; i <= 64; i++) {
        CHECK(brk_to(start + i * MEGA + 100) == start + i * MEGA + 100);
        *(volatile char *)(start + i * MEGA + 99) = 1;
    }
    CHECK(brk_to(start + MEGA) == start + MEGA && brk_to(0) == start + MEGA);
    CHECK(brk_to(start + 2 * MEGA) == start + 2 * MEGA);
    CHECK(*(volatile char *)(start + 2 * MEGA - 1) == 0); /* what was given back comes as zeroes */
    CHECK(brk_to(end + MEGA) == start + 2 * MEGA);
    CHECK(brk_to(UINTPTR_MAX - 4096) == start + 2 * MEGA);
    CHECK(brk_to(4096) == start + 2 * MEGA);
    CHECK(brk_to(start) == start);
    return 0;
}

static int grows_big(int argc, char **argv)
{
    size_t bytes = (size_t)number(argc, argv, 0, 1024) * MEGA;
    learn_partition();
    char *heap = malloc(bytes / 2), *mapped = map(NULL, 8 * bytes, 0);
    CHECK(heap && inside(heap, bytes / 2) && mapped != MAP_FAILED);
    for (size_t i = 0; i < bytes / 2; i += 16 * MEGA) heap[i] = (char)(i / MEGA);
    for (size_t i = 0; i < 8 * bytes; i += 256 * MEGA) mapped[i] = (char)(i / MEGA);
    for (size_t i = 0; i < bytes / 2; i += 16 * MEGA) CHECK(heap[i] == (char)(i / MEGA));
    for (size_t i = 0; i < 8 * bytes; i += 256 * MEGA) CHECK(mapped[i] == (char)(i / MEGA));
    free(heap);
    return munmap(mapped, 8 * bytes);
}

/* Takes all there is of its partition, gives it back, goes on. */
static int exhausts(int argc, char **argv)
{
    static char *parts[4096];
    size_t bytes = (size_t)number(argc, argv, 0, 16) * MEGA;
    int count = 0;
    learn_partition();
    while (count < 4096 && (parts[count] = map(NULL, bytes, 0)) != MAP_FAILED) count++;
    CHECK(errno == ENOMEM && count < 4096);
    CHECK(count * bytes > (end - base) / 4 && count * bytes < end - base);
    CHECK_ERRNO(map(NULL, end - base, 0), ENOMEM);
    CHECK_ERRNO(mremap(parts[0], bytes, end - base, MREMAP_MAYMOVE), ENOMEM);
    CHECK(!malloc(end - base) && errno == ENOMEM);
    parts[0][0] = 1; /* what failed to move is where it was */
    CHECK(munmap(parts[count / 2], bytes) == 0);
    CHECK(map(NULL, bytes, 0) == parts[count / 2]);
    for (int i = 0; i < count; i++) CHECK(munmap(parts[i], bytes) == 0);
    CHECK(map(NULL, bytes * (size_t)count / 2, 0) != MAP_FAILED);
    SAY("%d parts\n", count);
    return 0;
}

static int exhausts_heap(int argc, char **argv)
{
    (void)argc, (void)argv;
    void *last = NULL, **memory;
    size_t count = 0;
    learn_partition();
    while ((memory = malloc(200000))) {
        CHECK(inside(memory, 200000));
        *memory = last;
        last = memory;
        count++;
    }
    CHECK(errno == ENOMEM && count * 200000 > (end - base) / 4 && count * 200000 < end - base);
    for (; last; last = memory) {
        memory = *(void **)last;
        free(last);
    }
    CHECK(malloc(50 * MEGA));
    return 0;
}

static int shares_segments(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct shmid_ds about;
    learn_partition();
    int id = shmget(IPC_PRIVATE, 3 * MEGA, IPC_CREAT | 0600);
    CHECK(id >= 0);
    char *one = shmat(id, NULL, 0), *two = shmat(id, NULL, SHM_RDONLY);
    CHECK(one != (char *)-1 && two != (char *)-1 && one != two);
    CHECK(inside(one, 3 * MEGA) && inside(two, 3 * MEGA));
    one[2 * MEGA] = 77;
    CHECK(two[2 * MEGA] == 77);
    CHECK_FAILS(shmat(id, (void *)(end + MEGA), 0));
    CHECK_FAILS(shmat(id, (void *)(uintptr_t)(base - 16 * MEGA), 0));
    CHECK(shmdt(two) == 0);
    CHECK(shmat(id, two, 0) == two && two[2 * MEGA] == 77);
    CHECK(shmctl(id, IPC_STAT, &about) == 0 && about.shm_nattch == 2);
    CHECK(shmctl(id, IPC_RMID, NULL) == 0);
    CHECK(shmdt(one) == 0 && shmdt(two) == 0);
    CHECK_ERRNO(shmat(id, NULL, 0), EINVAL);
    return 0;
}

/* Says where a segment is, whose contents and mapping must stay. */
static int keeps_a_segment(int argc, char **argv)
{
    (void)argc, (void)argv;
    int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
    volatile char *segment = shmat(id, NULL, 0);
    CHECK(segment != (void *)-1 && shmctl(id, IPC_RMID, NULL) == 0);
    segment[0] = segment[8191] = 54;
    SAY("segment @%p is ready\n", (void *)segment);
    await_word();
    CHECK(segment[0] == 54 && segment[8191] == 54);
    return shmdt((void *)segment);
}

static int remaps(int argc, char **argv)
{
    (void)argc, (void)argv;
    learn_partition();
    char *old = map(NULL, MEGA, 0), *wall = map(old + MEGA, 4096, 0);
    CHECK(old != MAP_FAILED && wall != MAP_FAILED);
    memset(old, 5, MEGA);
    char *moved = mremap(old, MEGA, 64 * MEGA, MREMAP_MAYMOVE);
    CHECK(moved != MAP_FAILED && inside(moved, 64 * MEGA) && moved[MEGA - 1] == 5);
    CHECK(moved[MEGA] == 0 && mremap(moved, 64 * MEGA, MEGA, 0) == moved);
    char *room = map(NULL, 2 * MEGA, 0);
    CHECK(mremap(moved, MEGA, 2 * MEGA, MREMAP_MAYMOVE | MREMAP_FIXED, room) == room);
    CHECK(room[0] == 5 && room[MEGA - 1] == 5 && room[MEGA] == 0);
    CHECK_FAILS(mremap(room, MEGA, MEGA, MREMAP_MAYMOVE | MREMAP_FIXED, end + MEGA));
    CHECK_ERRNO(mremap(room, MEGA, MEGA, MREMAP_FIXED, base), EINVAL);
    CHECK_ERRNO(mremap(room + 1, MEGA, 2 * MEGA, MREMAP_MAYMOVE), EINVAL);
    CHECK(room[0] == 5 && room[2 * MEGA - 1] == 0);
    char *shared = mmap(NULL, MEGA, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED && inside(shared, MEGA));
    char *twin = mremap(shared, 0, MEGA, MREMAP_MAYMOVE); /* old size 0: a second view */
    CHECK(twin != MAP_FAILED && twin != shared && inside(twin, MEGA));
    shared[100] = 9;
    CHECK(twin[100] == 9);
    return 0;
}

static int remaps_without_unmapping(int argc, char **argv)
{
    (void)argc, (void)argv;
    learn_partition();
    char *old = map(NULL, MEGA, 0);
    memset(old, 6, MEGA);
    char *moved = mremap(old, MEGA, MEGA, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
    if (moved == MAP_FAILED && errno == EINVAL) return 77; /* kernel before 5.7 */
    CHECK(moved != MAP_FAILED && moved != old && inside(moved, MEGA));
    CHECK(moved[MEGA - 1] == 6 && old[0] == 0 && old[MEGA - 1] == 0);
    old[0] = 1;
    CHECK(moved[0] == 6);
    char *room = map(NULL, MEGA, 0);
    CHECK(mremap(moved, MEGA, MEGA, MREMAP_MAYMOVE | MREMAP_DONTUNMAP | MREMAP_FIXED, room) ==
          room);
    CHECK(room[0] == 6 && moved[0] == 0);
    CHECK_ERRNO(mremap(room, MEGA, 2 * MEGA, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL), EINVAL);
    return 0;
}

static int maps_where_it_must_not(int argc, char **argv)
{
    (void)argc, (void)argv;
    learn_partition();
    void *places[] = {(void *)(end + 16 * MEGA), (void *)(base - 16 * MEGA),
                      (void *)(uintptr_t)0x10000, (void *)(end - 4096) /* over the end */};
    for (int i = 0; i < 4; i++) {
        CHECK_FAILS(mmap(places[i], 8192, PROT_READ, ANONYMOUS | MAP_FIXED, -1, 0));
        CHECK_FAILS(mmap(places[i], 8192, PROT_READ, ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
        CHECK(map(places[i], 8192, 0) != MAP_FAILED); /* a hint only */
    }
    return 0;
}

/* ZGC maps where it likes, outside of all partitions: what it so has goes with the task. */
static int maps_far_away(int argc, char **argv)
{
    (void)argc, (void)argv;
    char *far = (char *)((uintptr_t)24 << 40);
    int flags = ANONYMOUS | MAP_FIXED_NOREPLACE;
    learn_partition();
    CHECK(mmap(far, 4 * MEGA, PROT_READ | PROT_WRITE, flags, -1, 0) == far);
    CHECK(mmap(far + 4 * MEGA, MEGA, PROT_READ | PROT_WRITE, flags, -1, 0) == far + 4 * MEGA);
    memset(far, 1, 5 * MEGA);
    CHECK_ERRNO(mmap(far, MEGA, PROT_READ, flags, -1, 0), EEXIST);
    CHECK(mmap(far + MEGA, MEGA, PROT_READ, ANONYMOUS | MAP_FIXED, -1, 0) == far + MEGA);
    CHECK(far[MEGA] == 0 && far[0] == 1 && far[2 * MEGA] == 1);
    CHECK_FAILS(mmap(far + 5 * MEGA, MEGA, PROT_READ, ANONYMOUS | MAP_FIXED, -1, 0));
    CHECK(munmap(far + 2 * MEGA, MEGA) == 0 && far[3 * MEGA] == 1);
    CHECK_FAILS(munmap((char *)((uintptr_t)20 << 40), MEGA));
    CHECK_ERRNO(mremap(far + 1, 8192, 4096, 0), EINVAL);
    CHECK_ERRNO(mremap(far + 4 * MEGA, -2 * MEGA, 4096, 0), EFAULT); /* it would end before */
    CHECK(mprotect(far, MEGA, PROT_READ | PROT_WRITE) == 0);         /* still known as its own */
    SAY("far\n");
    await_word();
    return 0;
}

/* Every call that would change the two pages is refused. `spare` are two pages of its own. */
static void leave_alone(char *at, void *spare)
{
    int segment = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
    int both = MREMAP_MAYMOVE | MREMAP_FIXED;
    CHECK_ERRNO(mmap(at, 8192, PROT_READ, ANONYMOUS | MAP_FIXED, -1, 0), ENOMEM);
    CHECK_FAILS(mmap(at, 8192, PROT_READ, ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
    CHECK_ERRNO(mremap(spare, 8192, 8192, both, at), EINVAL);
    CHECK_ERRNO(mremap(spare, 8192, 8192, both | MREMAP_DONTUNMAP, at), EINVAL);
    CHECK_ERRNO(shmat(segment, at, SHM_REMAP), EINVAL);
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0);
    CHECK_ERRNO(mprotect(at, 8192, PROT_NONE), ENOMEM);
    CHECK_ERRNO(syscall(SYS_pkey_mprotect, at, 8192, PROT_NONE, -1), ENOMEM);
    CHECK_ERRNO(madvise(at, 8192, MADV_DONTNEED), ENOMEM);
    CHECK_ERRNO(mlock(at, 8192), ENOMEM);
    CHECK_ERRNO(syscall(SYS_mlock2, at, 8192, 0), ENOMEM);
    CHECK_ERRNO(munlock(at, 8192), ENOMEM);
    CHECK_ERRNO(mlock(at + 4097, 0), ENOMEM); /* means a page: the second one */
    CHECK_ERRNO(syscall(SYS_mbind, at, 8192, 0, 0, 0, 0), ENOMEM);
    CHECK_ERRNO(syscall(450 /* set_mempolicy_home_node */, at, 8192, 0, 0), ENOMEM);
    CHECK_ERRNO(syscall(SYS_remap_file_pages, at, 8192, 0, 0, 0), ENOMEM);
    CHECK_ERRNO(prctl(0x53564d41 /* PR_SET_VMA */, 0, at, 8192, "name"), ENOMEM);
    CHECK_ERRNO(syscall(462 /* mseal */, at, 8192, 0), ENOSYS);
    CHECK_ERRNO(munmap(at, 8192), EINVAL);
}

/* "ADDRESS SEGMENT": memory of other tasks. */
static int leaves_others_alone(int argc, char **argv)
{
    CHECK(argc == 2);
    void *other = (void *)(strtoul(argv[0], NULL, 16) & ~4095ul);
    void *segment = (void *)strtoul(argv[1], NULL, 16);
    unsigned long nodes[2] = {1, 1};
    learn_partition();
    char *last = map((void *)(end - 4096), 4096, MAP_FIXED), *control = (char *)base;
    void *spare = map(NULL, 8192, 0);
    leave_alone(other, spare);
    leave_alone(segment, spare);
    leave_alone(last, spare); /* over the end */
    leave_alone(control, spare);
    leave_alone(control + (124 << 10), spare); /* its last page, and one of the program's area */
    CHECK_ERRNO(mremap(other, 4096, 8192, 0), EFAULT);
    CHECK_ERRNO(mremap(last, 4096, 8192, 0), ENOMEM);
    CHECK(mprotect(last, 4096, PROT_READ) == 0); /* up to the end it may */
    CHECK(munmap(last, 4096) == 0);
    CHECK_ERRNO(madvise((void *)base, SIZE_MAX - 4096, MADV_DONTNEED), EINVAL);
    CHECK_ERRNO(madvise((void *)base, end - base + MEGA, MADV_DONTNEED), ENOMEM);
    CHECK_ERRNO(shmdt(segment), EINVAL);
    CHECK_ERRNO(syscall(SYS_migrate_pages, 0, 8, nodes, nodes), EPERM);
    CHECK_ERRNO(syscall(SYS_move_pages, 0, 1, &other, nodes, nodes + 1, 0), EPERM);
    CHECK_ERRNO(syscall(440 /* process_madvise */, -1, NULL, 0, 0, 0), ENOSYS);
    CHECK_ERRNO(syscall(SYS_userfaultfd, 0), ENOSYS);
    CHECK_ERRNO(syscall(SYS_modify_ldt, 0, nodes, 8), ENOSYS);
    CHECK(madvise(NULL, 0, MADV_DONTNEED) == 0); /* asks what there is */
    return 0;
}

static int gives_the_errors_of_the_kernel(int argc, char **argv)
{
    (void)argc, (void)argv;
    learn_partition();
    CHECK_ERRNO(map(NULL, 0, 0), EINVAL);
    CHECK_ERRNO(map(NULL, SIZE_MAX - 8192, 0), ENOMEM);
    CHECK_ERRNO(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0), EBADF);
    CHECK_ERRNO(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 100), EINVAL);
    CHECK_ERRNO(mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0), EINVAL);
    CHECK_ERRNO(mremap((void *)(uintptr_t)0x10000, 4096, 8192, MREMAP_MAYMOVE), EFAULT);
    char *memory = map(NULL, 65536, 0);
    CHECK(munmap(memory + 8192, 4096) == 0);
    CHECK(map(memory + 8192, 4096, 0) == memory + 8192); /* a hole is found again by a hint */
    CHECK(map(memory + 8192, 4096, MAP_FIXED) == memory + 8192);
    CHECK_ERRNO(mmap(memory, 4096, PROT_READ, ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), EEXIST);
    CHECK(mprotect(memory, 4096, PROT_READ) == 0 && madvise(memory, 4096, MADV_DONTNEED) == 0);
    return 0;
}

static int maps_files(int argc, char **argv)
{
    (void)argc, (void)argv;
    char name[] = "/tmp/hayate-task-XXXXXX";
    static const char text[] = "written through the mapping";
    char again[sizeof text] = "";
    learn_partition();
    int fd = mkstemp(name);
    CHECK(fd >= 0 && unlink(name) == 0 && ftruncate(fd, 3 * MEGA) == 0);
    char *shared = mmap(NULL, MEGA, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * MEGA);
    char *own = mmap(NULL, MEGA, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 2 * MEGA);
    CHECK(shared != MAP_FAILED && own != MAP_FAILED && inside(shared, MEGA) && inside(own, MEGA));
    memcpy(shared + 5, text, sizeof text);
    CHECK(pread(fd, again, sizeof again, 2 * MEGA + 5) == sizeof again);
    CHECK(strcmp(again, text) == 0 && strcmp(own + 5, text) == 0);
    own[5] = 'X';
    CHECK(shared[5] == 'w');
    return munmap(shared, MEGA) || munmap(own, MEGA);
}

/* What `ulimit -v` leaves is little: the call fails, the task goes on. */
static int is_limited(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct rlimit limit = {0, 0};
    learn_partition();
    char *before = malloc(MEGA);
    CHECK(before && setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK_ERRNO(map(NULL, 64 * MEGA, 0), ENOMEM);
    CHECK(!malloc(64 * MEGA) && errno == ENOMEM);
    memset(before, 1, MEGA);
    free(before);
    SAY("goes on\n");
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {{"stress", stress},
                                          {"brk", breaks},
                                          {"big", grows_big},
                                          {"exhaust", exhausts},
                                          {"exhaust-heap", exhausts_heap},
                                          {"shm", shares_segments},
                                          {"segment", keeps_a_segment},
                                          {"remap", remaps},
                                          {"dontunmap", remaps_without_unmapping},
                                          {"outside", maps_where_it_must_not},
                                          {"far", maps_far_away},
                                          {"others", leaves_others_alone},
                                          {"errors", gives_the_errors_of_the_kernel},
                                          {"file", maps_files},
                                          {"limit", is_limited},
                                          {NULL, NULL}};
    return task_run(actions, argc, argv);
}
