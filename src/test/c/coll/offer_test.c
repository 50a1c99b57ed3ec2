/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators whose members tell each other what belongs to their creation. */
#include "coll/creation_fixture.h"
#include "coll/offer.h"

/* Of both ranks; this thread calls for both, as no call waits. */
typedef struct offers {
    hy_offer *offer[RANKS];
    hy_group_record records[RANKS]; /* by the numbers of members */
    int32_t ranks[RANKS];
} offers;

static void make(offers *o, bool swapped)
{
    for (int i = 0; i < RANKS; i++) {
        o->ranks[i] = swapped ? RANKS - 1 - i : i;
        o->offer[i] = hy_offer_make(members[o->ranks[i]].fmpl->comms, RANKS, &o->records[i]);
    }
}

static int accept_at(offers *o, int member)
{
    return hy_offer_accept(o->offer[member], member, RANKS, o->ranks, o->records);
}

/* The communicators, by the ranks of the job. */
static void end(offers *o, hy_verdict verdict, creation made[RANKS])
{
    for (int i = 0; i < RANKS; i++) {
        int rank = o->ranks[i];
        made[rank] = (creation){.rank = rank};
        hy_offer_end(o->offer[i], verdict, &made[rank].comm);
    }
}

static uint64_t used(void)
{
    for (int i = 0; i < RANKS; i++) hy_comms_trim(members[i].fmpl->comms);
    return members[0].job->system.used + members[1].job->system.used;
}

TEST(should_create_a_communicator_in_the_order_of_the_members)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        offers o;
        creation made[RANKS];
        make(&o, swapped);
        for (int i = 0; i < RANKS; i++) assert_ok(accept_at(&o, i));
        end(&o, HY_OFFER_ACCEPTED, made);
        for (int rank = 0; rank < RANKS; rank++) {
            const hy_comm *comm = hy_comm_find(members[rank].fmpl->comms, made[rank].comm);
            assert_int_equal(comm->group.rank, swapped ? RANKS - 1 - rank : rank);
        }
        assert_works(made);
        for (int rank = 0; rank < RANKS; rank++)
            assert_ok(hy_comm_free(members[rank].fmpl->comms, made[rank].comm));
    }
}

TEST(should_take_nothing_if_a_member_does_not_accept)
{
    for (int accepts = 0; accepts <= RANKS; accepts++) {
        offers o;
        creation made[RANKS];
        uint64_t before = used();
        make(&o, false);
        for (int i = 0; i < accepts; i++) assert_ok(accept_at(&o, i));
        end(&o, HY_OFFER_REFUSED, made);
        for (int i = 0; i < RANKS; i++) assert_int_equal(made[i].comm, FMPL_COMM_NULL);
        assert_int_equal(used(), before);
    }
}

TEST(should_tell_the_others_that_an_offer_has_failed)
{
    offers o = {.ranks = {0, 1}};
    creation made[RANKS];
    uint64_t before = used();
    scarce = 1;
    o.offer[1] = hy_offer_make(members[1].fmpl->comms, RANKS, &o.records[1]);
    scarce = 0;
    assert_null(o.offer[1]);
    o.offer[0] = hy_offer_make(members[0].fmpl->comms, RANKS, &o.records[0]);
    for (int i = 0; i < RANKS; i++) {
        assert_code(accept_at(&o, i), HAYATE_ERR_NO_MEMORY);
        assert_int_equal(hayate_error_peer(), 1);
    }
    end(&o, HY_OFFER_REFUSED, made);
    for (int i = 0; i < RANKS; i++) assert_int_equal(made[i].comm, FMPL_COMM_NULL);
    assert_int_equal(used(), before);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
