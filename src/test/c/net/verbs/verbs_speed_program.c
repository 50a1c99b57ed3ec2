/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed over verbs beside perftest's: `verbs_speed_program [ROUNDS [TURNS]]`. Two processes play on
 * one device in turn with ib_write_lat, ib_send_lat and ib_write_bw (Debian: perftest), so that all
 * see the same machine; printed are the medians over rounds, and the ratios. Last: what a
 * connection costs.
 */
#include "net/speed.h"

#include "net/rest.h"
#include "net/verbs/verbs_net.h"

#define PORT "47633"
#define LONG (UINT64_C(1) << 20)
#define LANES 200 /* connections that are weighed */

enum { RAW, SIGNAL, PUT_FLAG, COPIED, STRAIGHT, KINDS };
static const char *const names[] = {"write of 8 B by verbs, us", "signal of 8 B, us",
                                    "put of 8 B and flag, us", "put of 64 KB, MB/s",
                                    "put of 1 MB of the part, MB/s"};

/* What perftest plays of the kind, and which column of its line counts. */
static const struct {
    const char *program, *size;
    int column;
} theirs_of[KINDS] = {{"ib_write_lat", "8", 4},
                      {"ib_send_lat", "8", 4},
                      {"ib_write_lat", "8", 4},
                      {"ib_write_bw", "65536", 3},
                      {"ib_write_bw", "1048576", 3}};

static double ours[KINDS][MOST_ROUNDS], theirs[KINDS][MOST_ROUNDS];

static uint64_t pieces_of(int kind)
{
    return kind == COPIED ? turns / 4 + 10 : turns / 40 + 10;
}

/* What ib_write_lat does, by the clock of this program: nothing of ours but the connection. */
static void write_raw(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t turn)
{
    verbs_batch batch;
    const verbs_op op = {0};
    verbs_begin(&batch, endpoint, conn);
    if (turn % 16 == 0) verbs_poll(&endpoint->base);
    while (!verbs_room(endpoint, conn)) verbs_poll(&endpoint->base);
    struct ibv_send_wr *request = verbs_add(&batch, &op, &turn, sizeof turn, 0);
    request->opcode = IBV_WR_RDMA_WRITE;
    request->send_flags |= IBV_SEND_INLINE;
    request->wr.rdma.remote_addr = conn->base.peer->base;
    request->wr.rdma.rkey = verbs_peer_of(conn)->key;
    CHECK_OK(verbs_ring(&batch));
}

/* Processors are few here, and soft-RoCE wants them, too. */
static void see(member *me, int kind, uint64_t turn)
{
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)me->part;
    uint32_t idle = 0;
    while (hy_load_acquire(word) != turn) {
        if (kind == RAW || me->net->ops->progress(me->net) != 0) continue;
        if (kind >= COPIED && ++idle > 100) hy_net_rest(HY_NET_YIELDS);
        else if (++idle % 16 == 0) sched_yield();
    }
}

static void hand_over(member *me, int kind, uint64_t turn)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    verbs_endpoint *endpoint = verbs_first(verbs_of(me->net));
    const hy_flag flag = {turn, {0, 0, 0}};
    if (kind == RAW) {
        write_raw(endpoint, verbs_conn_at(endpoint, 0), turn);
        return;
    }
    if (kind == SIGNAL) {
        ep->ops->signal(ep, 0, turn, &turn, sizeof turn);
        return;
    }
    CHECK_OK(ep->ops->put(ep, DATA_AT, &turn, sizeof turn));
    CHECK_OK(ep->ops->put_flag(ep, 0, &flag));
}

/* Half a ping-pong in us, the median: what another process of the host takes away is not counted,
 * as with perftest's "typical". */
static double play_short(member *me, int kind)
{
    double *took = calloc(turns, sizeof *took);
    verbs_endpoint *endpoint = verbs_first(verbs_of(me->net));
    if (kind == RAW) pthread_mutex_lock(&endpoint->base.lock);
    uint64_t start = hy_now_ns();
    for (uint64_t i = 0; i < turns; i++) {
        turn++;
        if (me->rank == 0) hand_over(me, kind, turn);
        see(me, kind, turn);
        if (me->rank == 1) hand_over(me, kind, turn);
        uint64_t now = hy_now_ns();
        took[i] = (double)(now - start) / 2000;
        start = now;
    }
    if (kind == RAW) pthread_mutex_unlock(&endpoint->base.lock);
    double typical = median(took, turns);
    free(took);
    return typical;
}

/* MB/s of puts one behind the other, until a flag behind them is answered. */
static double play_long(member *me, int kind)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    static uint8_t data[65536];
    size_t len = kind == COPIED ? sizeof data : LONG;
    const uint8_t *from = kind == COPIED ? data : me->part + 4 * LONG;
    const hy_flag flag = {++turn, {0, 0, 0}};
    uint64_t start = hy_now_ns(), count = pieces_of(kind);
    for (uint64_t i = 0; i < count && me->rank == 0; i++)
        CHECK_OK(ep->ops->put_start(ep, DATA_AT, from, len));
    if (me->rank == 1) see(me, kind, turn);
    CHECK_OK(ep->ops->put_flag(ep, 0, &flag));
    if (me->rank == 0) see(me, kind, turn);
    return (double)(count * len) / (double)(hy_now_ns() - start) * 1e9 / (1 << 20);
}

static void become_perftest(size_t kind, bool client)
{
    char count[32];
    const char *program = theirs_of[kind].program;
    snprintf(count, sizeof count, "%llu",
             (unsigned long long)(kind < COPIED ? turns : pieces_of((int)kind)));
    execlp(program, program, "-d", devices[0], "-F", "-s", theirs_of[kind].size, "-n", count, "-p",
           PORT, client ? "localhost" : NULL, NULL);
}

/* The line of numbers that begins with the size. */
static double parse_theirs(const char *text, size_t kind)
{
    double columns[8] = {0};
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!*line) break;
        int n = sscanf(line, " %lf %lf %lf %lf %lf %lf", &columns[0], &columns[1], &columns[2],
                       &columns[3], &columns[4], &columns[5]);
        if (n >= 4 && columns[0] == atof(theirs_of[kind].size))
            return columns[theirs_of[kind].column];
    }
    return 0;
}

/* 0: it is not there. */
static double play_theirs(size_t kind)
{
    char text[8192];
    return hear_theirs(become_perftest, kind, 1500000, text, sizeof text) ? parse_theirs(text, kind)
                                                                          : 0;
}

static void report(const member *me)
{
    char text[120];
    me->net->ops->describe(me->net, text, sizeof text);
    printf("%s, %u bytes inline; %d rounds\n", text,
           verbs_conn_at(verbs_first(verbs_of(me->net)), 0)->inline_bytes, rounds_wanted);
    printf("%-32s %10s %10s %8s   (medians; fastest)\n", "", "hayate", "perftest", "ratio");
    for (int i = 0; i < KINDS; i++) {
        size_t n = (size_t)rounds_wanted, best = i < COPIED ? 0 : n - 1;
        double a = median(ours[i], n), b = median(theirs[i], n);
        double c = ours[i][best], d = theirs[i][best];
        printf("%-32s %10.2f %10.2f %8.2f   %.2f / %.2f = %.2f   (%s -s %s)", names[i], a, b, a / b,
               c, d, c / d, theirs_of[i].program, theirs_of[i].size);
        if (i < COPIED) printf(" %.2f, %.2f of the write", a / ours[RAW][n / 2], c / ours[RAW][0]);
        printf("\n");
    }
}

static long kilobytes(const char *path, const char *name)
{
    char line[200];
    long value = -1;
    FILE *file = fopen(path, "r");
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0) value = atol(line + strlen(name) + 1);
    if (file) fclose(file);
    return value;
}

/* Of this process, of the kernel for both; the queues themselves are mapped memory of the kernel.
 */
typedef struct weight {
    double mine, slab, mapped;
} weight;

static weight weight_now(void)
{
    return (weight){(double)kilobytes("/proc/self/status", "VmRSS:"),
                    (double)kilobytes("/proc/meminfo", "Slab:"),
                    (double)kilobytes("/proc/meminfo", "VmallocUsed:")};
}

/* Uses these lanes, and says what each of them has cost. */
static void weigh_lanes(member *me, int from, int to, const char *what)
{
    weight before = weight_now();
    for (int lane = from; lane < to; lane++) {
        hy_ep one;
        me->net->ops->attach(me->net, &one, 1 - me->rank, lane);
        put_flag(&one, 64, 1);
        CHECK_OK(one.ops->flush(&one));
    }
    weight after = weight_now();
    double n = to - from;
    printf("%s: %.1f KB of the process in all; kernel, each side: %.1f KB slab, %.1f KB queues\n",
           what, (after.mine - before.mine) / n, (after.slab - before.slab) / n / 2,
           (after.mapped - before.mapped) / n / 2);
}

static void weigh(member *me)
{
    int endpoints = hy_net_base_of(me->net)->endpoints_wanted;
    meet(me);
    if (me->rank == 0) {
        weigh_lanes(me, 1, endpoints, "an endpoint with its first connection");
        weigh_lanes(me, endpoints, endpoints + LANES, "a connection");
        printf("of ours: a connection %zu bytes, a peer %zu; buffers of a process %zu KB, of a"
               " further endpoint %zu KB\n",
               sizeof(verbs_conn), sizeof(verbs_peer),
               verbs_first(verbs_of(me->net))->memory_bytes >> 10,
               verbs_endpoint_of(hy_net_endpoint_of(hy_net_base_of(me->net), 1))->memory_bytes >>
                   10);
    }
    meet(me);
}

static void play_kinds(member *me)
{
    put_flag(&me->eps[1 - me->rank], 64, 1); /* connects */
    await(me, 64, 1);
    for (int round = 0; round < rounds_wanted; round++)
        for (int kind = 0; kind < KINDS; kind++) {
            ours[kind][round] = kind < COPIED ? play_short(me, kind) : play_long(me, kind);
            theirs[kind][round] = play_other(me, play_theirs, (size_t)kind);
        }
    if (me->rank == 0) report(me);
    weigh(me);
}

int main(int argc, char **argv)
{
    tested = &hy_net_verbs;
    devices[0] = devices[1] = "rxe0";
    need_network();
    return run_speed(argc, argv, play_kinds);
}
