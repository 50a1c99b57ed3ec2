/* SPDX-License-Identifier: Apache-2.0 */
#include "base/foreign.h"

#include <stddef.h>

bool (*hy_foreign_enter)(void) = NULL;
