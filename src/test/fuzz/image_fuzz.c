/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the image of a schedule that a rank hands over to its delegatee, which then runs it
 * some times. Whatever the image says, the control area stays as it is, and so do the pages around
 * the parts of the node; the fake network checks what goes to the other node. The first byte says
 * how the image is handed over, and by which of the two ranks: the part of one ends where the pages
 * without access begin, that of the other begins behind them. */
#include "deleg_node.h"
#include "exec/wired_image.h"

enum { MENDED = 1, TWICE = 2, DROPPED = 4, SECOND = 8 }; /* of the first byte */
#define IMAGE_AT 1024

static uint32_t giver;

/* The words that rarely survive a change. */
static void mend(uint8_t *image, size_t size)
{
    hy_wired_image *head = (hy_wired_image *)(void *)image;
    if (size < sizeof *head) return;
    head->magic = HY_IMAGE_MAGIC;
    head->bytes = size;
}

/* Every line outside of the image holds this signal: the waits of the run end. */
static void signal_all(uint64_t run, size_t size)
{
    for (int part = 0; part < NODE_PARTS; part++)
        for (size_t at = 0; at < NODE_PART_BYTES; at += HY_LINE)
            if (part != (int)giver || at + HY_LINE <= IMAGE_AT || at >= IMAGE_AT + size)
                memcpy(node_part(part) + at, &run, sizeof run);
}

static uint64_t give(uint64_t number, const hy_command *command)
{
    node_post(giver, 0, number, (const uint8_t *)&command->kind, 48);
    node_turn(1);
    uint64_t done = node_done(giver, 0, number);
    require(hy_done_number(done) == number);
    return done;
}

static void run_some_times(uint8_t how, size_t size)
{
    uint64_t number = 1, from;
    memcpy(&from, node_part((int)giver) + IMAGE_AT + offsetof(hy_wired_image, finished),
           sizeof from);
    for (int run = 1; run <= 3; run++) {
        signal_all(from + (uint64_t)run, size);
        give(++number, &(hy_command){.kind = HY_COMMAND_START});
        if (how & TWICE) give(++number, &(hy_command){.kind = HY_COMMAND_START});
        if (how & DROPPED && run == 2) give(++number, &(hy_command){.kind = HY_COMMAND_UNLOAD});
        node_turn(200);
    }
    give(++number, &(hy_command){.kind = HY_COMMAND_UNLOAD});
    node_turn(8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size - 1 > NODE_PART_BYTES / 2) return 0;
    uint8_t how = data[0];
    giver = how & SECOND ? 1 : 0;
    size--;
    node_open();
    memcpy(node_part((int)giver) + IMAGE_AT, data + 1, size);
    if (how & MENDED) mend(node_part((int)giver) + IMAGE_AT, size);
    const hy_control control = *node.control;
    const hy_command load = {.kind = HY_COMMAND_LOAD, .local = IMAGE_AT, .len = size};
    int rc = hy_done_status(give(1, &load));
    require(rc == HAYATE_OK || rc == HAYATE_ERR_ARGUMENT || rc == HAYATE_ERR_NO_MEMORY);
    if (!rc) run_some_times(how, size);
    require(memcmp(node.control, &control, sizeof(hy_control)) == 0);
    node_close();
    return 0;
}
