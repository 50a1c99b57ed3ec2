/* SPDX-License-Identifier: Apache-2.0 */
#include "../../fuzz/image_fuzz.c"
#include "fuzz/replay.h"

int main(void)
{
    return replay_main("src/test/fuzz/seeds/image");
}
