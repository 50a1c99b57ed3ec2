/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Messages with tags, as a rank: each scenario checks what MPI requires of matching. A message
 * begins with its number among those of its sender to its receiver; what a receive gets is compared
 * with a model of the messages that it may match. */
#include "tagged/tagged_fixture.h"

/* ---- order ---- */

SCENARIO(should_receive_in_the_order_of_tags_that_is_asked_for)
{
    hy_tag_status status;
    uint8_t data[100];
    for (int tag = 0; tag < 10; tag++) {
        fill(data, 10 + (uint64_t)tag, (uint64_t)tag);
        CHECK_OK(
            hy_tagged_send(comms[0], at(data), 10 + (uint64_t)tag, right(), tag, HY_TAG_STANDARD));
    }
    for (int tag = 9; tag >= 0; tag--) {
        CHECK_OK(hy_tagged_recv(comms[0], at(data), sizeof data, left(), tag, &status));
        CHECK(status.bytes == 10 + (uint64_t)tag && status.tag == tag && status.member == left());
        CHECK(holds(data, status.bytes, (uint64_t)tag));
    }
}

SCENARIO(should_receive_long_messages_in_reverse_order)
{
    enum { N = 4 };
    hy_tag_status status;
    uint64_t requests[N];
    uint8_t *out[N], *in = malloc(MOST);
    for (int i = 0; i < N; i++) {
        uint64_t bytes = MOST - (uint64_t)i * 1000;
        fill(out[i] = malloc(MOST), bytes, (uint64_t)i);
        CHECK_OK(hy_tagged_isend(comms[0], at(out[i]), bytes, right(), i, HY_TAG_STANDARD,
                                 &requests[i]));
    }
    for (int i = N - 1; i >= 0; i--) {
        CHECK_OK(hy_tagged_recv(comms[0], at(in), MOST, left(), i, &status));
        CHECK(status.bytes == MOST - (uint64_t)i * 1000 && holds(in, status.bytes, (uint64_t)i));
    }
    for (int i = 0; i < N; i++) {
        wait_one(requests[i], &status);
        free(out[i]);
    }
    free(in);
}

SCENARIO(should_not_mix_communicators)
{
    hy_tag_status status;
    int out[2] = {1, 2}, in = 0;
    for (int i = 0; i < 2; i++)
        CHECK_OK(hy_tagged_send(comms[i], at(&out[i]), sizeof out[i], right(), 5, HY_TAG_STANDARD));
    for (int i = 1; i >= 0; i--) {
        CHECK_OK(hy_tagged_recv(comms[i], at(&in), sizeof in, HY_ANY_MEMBER, HY_ANY_TAG, &status));
        CHECK(in == out[i] && status.member == left());
    }
}

/* ---- any programs ---- */

enum { ROUND = 24 }; /* messages to each rank */

typedef struct message {
    int from, comm, tag;
    uint64_t bytes, number; /* its number among all from this sender on this communicator */
    hy_tag_mode mode;
    bool got;
} message;

/* The messages to a rank in a round, the same on all ranks. */
static void draw_messages(unsigned seed, int to, message all[ROUND])
{
    unsigned random = seed * 1000 + (unsigned)to;
    for (int i = 0; i < ROUND; i++) {
        message *m = &all[i];
        *m = (message){.from = rand_r(&random) % size,
                       .comm = rand_r(&random) % COMMS,
                       .tag = rand_r(&random) % 3,
                       .bytes = sizes[(size_t)rand_r(&random) % (sizeof sizes / sizeof *sizes)],
                       .mode = rand_r(&random) % 5 ? HY_TAG_STANDARD : HY_TAG_SYNCHRONOUS};
        for (int before = 0; before < i; before++)
            m->number += all[before].from == m->from && all[before].comm == m->comm;
    }
}

static uint64_t seed_of(unsigned seed, int from, int to, int comm, uint64_t number)
{
    return ((uint64_t)seed * 100 + (uint64_t)from * 10 + (uint64_t)to) * 100 + (uint64_t)comm * 50 +
           number;
}

/* What a receive that was posted next, of those not seen yet, must have got. */
static void see(unsigned seed, message all[ROUND], int comm, int from, int tag,
                const hy_tag_status *status, const uint8_t *data)
{
    CHECK(from == HY_ANY_MEMBER || from == status->member);
    CHECK(tag == HY_ANY_TAG || tag == status->tag);
    for (int i = 0; i < ROUND; i++) {
        message *m = &all[i];
        if (m->got || m->comm != comm || m->from != status->member) continue;
        if (tag != HY_ANY_TAG && m->tag != tag) continue;
        CHECK(m->tag == status->tag && m->bytes == status->bytes);
        CHECK(holds(data, m->bytes, seed_of(seed, m->from, rank, comm, m->number)));
        m->got = true;
        return;
    }
    CHECK(!"a message that was not sent");
}

typedef struct posted {
    uint64_t request;
    uint8_t *data;
    int comm, from, tag;
    hy_tag_status status;
} posted;

/* The first `exact` receives name source and tag, the others leave out what `wild` says. */
static void receive_all(unsigned seed, unsigned *random, message all[ROUND])
{
    posted receives[ROUND];
    int wild = rand_r(random) % 4, exact = rand_r(random) % (ROUND + 1);
    int style = rand_r(random) % 3;
    for (int i = 0; i < ROUND; i++) {
        posted *p = &receives[i];
        *p = (posted){.data = malloc(MOST),
                      .comm = all[i].comm,
                      .from = i >= exact && wild & 1 ? HY_ANY_MEMBER : all[i].from,
                      .tag = i >= exact && wild & 2 ? HY_ANY_TAG : all[i].tag};
        CHECK_OK(hy_tagged_irecv(comms[p->comm], at(p->data), MOST, p->from, p->tag, &p->status,
                                 &p->request));
        if (style == 1 && rand_r(random) % 2) wait_one(p->request, &p->status), p->request = 0;
    }
    for (int open = ROUND; open > 0; open--) {
        uint64_t names[ROUND];
        int index;
        hy_tag_status status;
        for (int i = 0; i < ROUND; i++) names[i] = receives[i].request;
        CHECK_OK(hy_tag_wait_any(tags, ROUND, names, false, &index, &status));
        if (index < 0) break;
        receives[index].request = 0;
        receives[index].status = status;
    }
    for (int i = 0; i < ROUND; i++) {
        posted *p = &receives[i];
        see(seed, all, p->comm, p->from, p->tag, &p->status, p->data);
        free(p->data);
    }
}

static int send_all(unsigned seed, unsigned *random, uint64_t *requests, uint8_t **data)
{
    int sent = 0;
    for (int to = 0; to < size; to++) {
        message all[ROUND];
        draw_messages(seed, to, all);
        for (int i = 0; i < ROUND; i++) {
            const message *m = &all[i];
            if (m->from != rank) continue;
            data[sent] = malloc(MOST);
            fill(data[sent], m->bytes, seed_of(seed, rank, to, m->comm, m->number));
            requests[sent] = 0;
            if (m->mode == HY_TAG_STANDARD && rand_r(random) % 3 == 0)
                CHECK_OK(hy_tagged_bsend(comms[m->comm], at(data[sent]), m->bytes, to, m->tag));
            else
                CHECK_OK(hy_tagged_isend(comms[m->comm], at(data[sent]), m->bytes, to, m->tag,
                                         m->mode, &requests[sent]));
            sent++;
        }
    }
    return sent;
}

SCENARIO(should_match_any_program_as_mpi_does)
{
    unsigned rounds = is_light() ? 6 : 40;
    uint64_t *requests = malloc((size_t)size * ROUND * sizeof *requests);
    uint8_t **data = malloc((size_t)size * ROUND * sizeof *data);
    for (unsigned seed = 1; seed <= rounds; seed++) {
        message all[ROUND];
        unsigned random = seed * 77 + (unsigned)rank;
        hy_tag_status status;
        draw_messages(seed, rank, all);
        int sent = send_all(seed, &random, requests, data);
        receive_all(seed, &random, all);
        for (int i = 0; i < sent; i++) {
            wait_one(requests[i], &status);
            free(data[i]);
        }
        barrier(); /* a receive from any member would get a message of the next round */
    }
    free(requests);
    free(data);
}

/* ---- truncation, cancels, probes ---- */

SCENARIO(should_receive_the_beginning_of_a_message_that_is_too_long)
{
    const uint64_t lengths[] = {40, 150, 3000, 100000};
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    hy_tag_status status;
    for (int posted = 0; posted < 2; posted++) {
        for (int i = 0; i < 4; i++) {
            uint64_t bytes = lengths[i], request, sent;
            fill(out, bytes, (uint64_t)i);
            memset(in, 0xee, MOST);
            if (posted)
                CHECK_OK(
                    hy_tagged_irecv(comms[0], at(in), bytes - 16, left(), 1, &status, &request));
            barrier();
            CHECK_OK(hy_tagged_isend(comms[0], at(out), bytes, right(), 1, HY_TAG_STANDARD, &sent));
            if (!posted)
                CHECK_CODE(hy_tagged_recv(comms[0], at(in), bytes - 16, left(), 1, &status),
                           HAYATE_ERR_TRUNCATE);
            else CHECK_CODE(hy_tag_wait(tags, request, &status), HAYATE_ERR_TRUNCATE);
            CHECK(status.bytes == bytes && memcmp(in, out, bytes - 16) == 0);
            CHECK(all_are(in + bytes - 16, 16, 0xee));
            wait_one(sent, &status);
        }
    }
    free(out);
    free(in);
}

SCENARIO(should_cancel_a_receive_that_nothing_has_matched)
{
    uint64_t request;
    int in = 7, out = 8;
    hy_tag_status status;
    CHECK_OK(hy_tagged_irecv(comms[0], at(&in), sizeof in, left(), 3, &status, &request));
    CHECK_OK(hy_tag_cancel(tags, request));
    CHECK_CODE(hy_tag_wait(tags, request, &status), HAYATE_ERR_CANCELLED);
    CHECK_CODE(hy_tag_wait(tags, request, &status), HAYATE_ERR_ARGUMENT);
    barrier();
    CHECK_OK(hy_tagged_send(comms[0], at(&out), sizeof out, right(), 3, HY_TAG_STANDARD));
    CHECK_OK(hy_tagged_recv(comms[0], at(&in), sizeof in, left(), 3, &status));
    CHECK(in == 8);
}

SCENARIO(should_cancel_a_long_send_that_nothing_has_matched)
{
    uint64_t cancelled, sent;
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    hy_tag_status status;
    fill(out, MOST, 4);
    CHECK_OK(hy_tagged_isend(comms[0], at(out), MOST, right(), 3, HY_TAG_STANDARD, &cancelled));
    CHECK_OK(hy_tagged_isend(comms[0], at(out), MOST - 8, right(), 3, HY_TAG_SYNCHRONOUS, &sent));
    CHECK_OK(hy_tag_cancel(tags, cancelled));
    barrier();
    CHECK_CODE(hy_tag_wait(tags, cancelled, &status), HAYATE_ERR_CANCELLED);
    /* each answers while it waits to hear that its sender is content */
    CHECK_OK(hy_tagged_send(comms[0], at(&size), sizeof size, right(), 8, HY_TAG_STANDARD));
    CHECK_OK(hy_tagged_recv(comms[0], at(in), MOST, left(), 8, &status));
    CHECK_OK(hy_tagged_recv(comms[0], at(in), MOST, left(), 3, &status));
    CHECK(status.bytes == MOST - 8 && holds(in, MOST - 8, 4));
    wait_one(sent, &status);
    free(out);
    free(in);
}

SCENARIO(should_send_a_long_synchronous_message_as_the_first_one)
{
    uint64_t request;
    hy_tag_status status;
    hy_tagged *fresh;
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    fill(out, MOST, 5);
    CHECK_OK(hy_tagged_open(tags, FMPL_COMM_WORLD, &fresh));
    CHECK_OK(hy_tagged_irecv(fresh, at(in), MOST, left(), 1, &status, &request));
    CHECK_OK(hy_tagged_send(fresh, at(out), MOST, right(), 1, HY_TAG_SYNCHRONOUS));
    wait_one(request, &status);
    CHECK(holds(in, MOST, 5));
    hy_tagged_close(fresh);
    free(out);
    free(in);
}

SCENARIO(should_probe_without_taking_and_take_for_one_receive)
{
    const uint64_t lengths[] = {20, 2000, 100000};
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    for (int i = 0; i < 3; i++) {
        hy_tag_status status;
        hy_arrived *taken = NULL;
        uint64_t sent, got;
        fill(out, lengths[i], 6);
        CHECK_OK(
            hy_tagged_isend(comms[0], at(out), lengths[i], right(), i, HY_TAG_STANDARD, &sent));
        CHECK_OK(hy_tagged_probe(comms[0], HY_ANY_MEMBER, HY_ANY_TAG, true, &status, NULL));
        CHECK(status.bytes == lengths[i] && status.tag == i && status.member == left());
        CHECK_OK(hy_tagged_probe(comms[0], left(), i, true, &status, &taken));
        CHECK_CODE(hy_tagged_probe(comms[0], left(), i, false, &status, NULL), HAYATE_IN_PROGRESS);
        CHECK_OK(hy_arrived_receive(comms[0], taken, at(in), MOST, false, &got));
        wait_one(got, &status);
        CHECK(status.bytes == lengths[i] && holds(in, lengths[i], 6));
        wait_one(sent, &status);
    }
    free(out);
    free(in);
}

/* ---- mistakes ---- */

SCENARIO(should_refuse_what_is_out_of_range)
{
    int in = 0;
    uint64_t request;
    hy_tag_status status;
    CHECK_CODE(hy_tagged_send(comms[0], at(&in), 4, size, 0, HY_TAG_STANDARD), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tagged_send(comms[0], at(&in), 4, -1, 0, HY_TAG_STANDARD), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tagged_send(comms[0], at(&in), 4, 0, -1, HY_TAG_STANDARD), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tagged_irecv(comms[0], at(&in), 4, -2, 0, &status, &request),
               HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tagged_recv(comms[0], at(&in), 4, 0, -2, &status), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tag_wait(tags, 0x100000001, &status), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hy_tag_cancel(tags, UINT64_MAX), HAYATE_ERR_ARGUMENT);
}

int main(int argc, char **argv)
{
    return tagged_main(argc, argv);
}
