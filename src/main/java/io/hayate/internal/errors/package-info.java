// SPDX-License-Identifier: Apache-2.0
/** The codes of native calls: their reasons, and the exceptions that they become. */
package io.hayate.internal.errors;
