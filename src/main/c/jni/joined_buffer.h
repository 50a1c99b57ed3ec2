/* SPDX-License-Identifier: Apache-2.0 */
/* Several memories of Java, one behind the other, as a buffer without an address: the blocks of a
 * collective that are not in one memory, or not in the order in which it needs them. */
#ifndef HY_JNI_JOINED_BUFFER_H
#define HY_JNI_JOINED_BUFFER_H

#include <jni.h>

#include "base/buffer.h"

/* Lives on the stack of a call; retain() makes a copy of what must outlive the call. */
typedef struct hy_joined {
    JNIEnv *env;        /* of the call's thread, and used only by it; NULL in a retained copy */
    jobjectArray parts; /* of io.hayate.internal.job.Memory, none of which is joined itself */
    jsize count;
} hy_joined;

hy_buffer hy_joined_buffer(hy_joined *joined);

#endif
