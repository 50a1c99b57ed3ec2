/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every rank sends to every other one, and checks what it gets. Then each says how many sockets its
 * process has connected and what it has resident: "rank R: sockets S, resident K KiB"; and the
 * first rank of a node with a delegatee says "node N: connections C, sockets S, resident K KiB":
 * the counter of the delegatee, and what the kernel says of its process.
 */
#include "fmpl/scenario.h"

#include "init/join.h"
#include "net/delegated/delegation.h"
#include "net/sockets_fixture.h"

static void send_to_all(void)
{
    for (int shift = 1; shift < size; shift++) {
        int to = (rank + shift) % size, from = (rank + size - shift) % size, ier = 1;
        fmpl_request_t request;
        uint64_t out[8], in[8];
        fill(out, sizeof out, (uint64_t)rank * 10000 + (uint64_t)to);
        fmpl_irecv(in, sizeof in, from, 0, &request, &ier);
        CHECK_OK(ier);
        fmpl_send(out, sizeof out, to, 0, &ier);
        CHECK_OK(ier);
        fmpl_wait(&request, &ier);
        CHECK_OK(ier);
        CHECK(holds(in, sizeof in, (uint64_t)from * 10000 + (uint64_t)rank));
    }
}

static void say_delegatee(const hy_control *control, const hy_delegation *area)
{
    hy_delegation_view view;
    hy_delegation_see(area, control->parts, (uint32_t)control->nodes, &view);
    printf("node %d: connections %llu, sockets %ld, resident %ld KiB\n", control->node,
           (unsigned long long)view.connections, sockets_connected(view.pid),
           resident_kib(view.pid));
}

int main(void)
{
    start_ranks(1);
    send_to_all();
    barrier();
    printf("rank %d: sockets %ld, resident %ld KiB\n", rank, sockets_connected(getpid()),
           resident_kib(getpid()));
    hy_control *control = hy_process_job()->boot.control;
    const hy_delegation *area = hy_control_delegation(control);
    if (area && rank == control->leader) say_delegatee(control, area);
    fflush(stdout);
    barrier(); /* nobody leaves before all have counted */
    end_ranks();
    return 0;
}
