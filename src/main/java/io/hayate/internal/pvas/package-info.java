// SPDX-License-Identifier: Apache-2.0
/** The implementation of {@code Pvas}: spaces, tasks, their memory and their ends. */
package io.hayate.internal.pvas;
