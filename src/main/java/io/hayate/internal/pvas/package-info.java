// SPDX-License-Identifier: Apache-2.0
/** What is behind a {@code Pvas}: spaces, tasks, their memory and their ends. */
package io.hayate.internal.pvas;
