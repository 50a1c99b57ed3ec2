// SPDX-License-Identifier: Apache-2.0
/** Messages with tags on communicators. */
package io.hayate.internal.tagged;
