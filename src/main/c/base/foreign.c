/* SPDX-License-Identifier: Apache-2.0 */
/* The hook of foreign.h, which the Java bindings set. */
#include "base/foreign.h"

#include <stddef.h>

bool (*hy_foreign_enter)(void) = NULL;
