// SPDX-License-Identifier: Apache-2.0
/** {@code hayate stat} and {@code hayate flight}: what ranks do, and did last. */
package io.hayate.cli.observe;
