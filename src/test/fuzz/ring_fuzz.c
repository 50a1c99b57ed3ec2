/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as commands of a rank: 64 bytes each, of which the first 8 say how the command is
 * posted, and the others are what stands in the slot behind `posted`. Every command ends exactly
 * once, with its own number; the memory of the other rank and the control area in front of the
 * rings do not change; and a sound command of the other rank succeeds after all of them. */
#include "deleg_node.h"

#define COMMAND_BYTES 64
#define MOST_COMMANDS 64 /* as many as a ring holds */

/* How a command is posted. */
typedef struct manner {
    uint8_t ring, turns; /* turns of the delegatee behind it */
    bool local_address;  /* `local` is an offset in this process's own buffer */
    uint8_t noise;       /* is written where only the delegatee has something to say */
} manner;

static uint8_t buffer[3 << 18]; /* several pieces; of the "process" of the rank */
static uint64_t cookie = UINT64_C(0x636f6f6b6965);
static uint64_t posted[HY_RINGS];

static void say_who_we_are(void)
{
    hy_delegation_rank *rank = hy_delegation_rank_of(node_area(), NODE_PARTS, 2, 0);
    rank->cookie = cookie;
    rank->cookie_address = (uint64_t)(uintptr_t)&cookie;
    hy_store_release(&rank->pid, (int32_t)getpid());
    hy_deleg_probe(node.deleg);
}

static void post_one(const uint8_t *data)
{
    const manner how = {.ring = data[0] % HY_RINGS,
                        .turns = data[1] % 4,
                        .local_address = data[2] & 1,
                        .noise = data[3]};
    uint8_t command[COMMAND_BYTES - 8 + HY_SLOT_PAYLOAD];
    size_t local_at = offsetof(hy_command, local) - offsetof(hy_command, kind);
    memcpy(command, data + 8, COMMAND_BYTES - 8);
    memset(command + COMMAND_BYTES - 8, data[4], HY_SLOT_PAYLOAD);
    if (how.local_address) {
        uint64_t offset;
        memcpy(&offset, command + local_at, sizeof offset);
        offset = (uint64_t)(uintptr_t)buffer + offset % sizeof buffer;
        memcpy(command + local_at, &offset, sizeof offset);
    }
    if (how.noise & 1) atomic_fetch_or(&node_area()->work[0], UINT64_C(0xff) << how.noise % 64);
    if (how.noise & 2)
        hy_delegation_states(node_area(), NODE_PARTS)[how.noise >> 7] = HY_NODE_WATCHED;
    node_post(0, how.ring, ++posted[how.ring], command, sizeof command);
    node_turn(how.turns);
    if (how.noise & 4) hy_deleg_watch(node.deleg);
}

static void expect_all_ended(void)
{
    for (int ring = 0; ring < HY_RINGS; ring++)
        for (uint64_t number = 1; number <= posted[ring]; number++)
            require(hy_done_number(node_done(0, ring, number)) == number);
    require(!node.deleg->active && node.begun == 0);
}

static void expect_the_other_is_served(void)
{
    const hy_command sound = {.kind = HY_OP_PUT, .where = HY_LOCAL_PART, .rank = 2, .len = 8};
    node_post(1, 0, 1, (const uint8_t *)&sound.kind, 48);
    node_turn(4);
    require(node_done(1, 0, 1) == hy_command_done(1, HAYATE_OK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t before[NODE_PART_BYTES];
    node_open();
    say_who_we_are();
    memset(posted, 0, sizeof posted);
    memset(node_part(1), 0x5a, NODE_PART_BYTES);
    memset(before, 0x5a, sizeof before);
    const hy_control control = *node.control;
    for (int i = 0; i < MOST_COMMANDS && size >= COMMAND_BYTES; i++, size -= COMMAND_BYTES) {
        post_one(data);
        data += COMMAND_BYTES;
    }
    node_turn(8 * MOST_COMMANDS);
    expect_all_ended();
    require(memcmp(node_part(1), before, sizeof before) == 0);
    require(memcmp(node.control, &control, sizeof(hy_control)) == 0);
    expect_the_other_is_served();
    node_close();
    return 0;
}
