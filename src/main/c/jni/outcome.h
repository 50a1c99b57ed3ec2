/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of an operation for Java, in one long:
 *   > 0         it continues as this request
 *   -63 .. -1   it failed with this error code
 *   <= -64      it is complete, with -64 - x bytes
 * io.hayate.internal.errors.Outcome decodes it.
 */
#ifndef HY_JNI_OUTCOME_H
#define HY_JNI_OUTCOME_H

#include <jni.h>

#include "base/line.h"
#include "base/status.h"
#include "io_hayate_internal_errors_Outcome.h"

static inline jlong hy_outcome(int rc, uint64_t length, uint64_t request)
{
    if (hy_likely(rc == HAYATE_OK))
        return io_hayate_internal_errors_Outcome_COMPLETE - (jlong)length;
    return rc == HAYATE_IN_PROGRESS ? (jlong)request : rc;
}

#endif
