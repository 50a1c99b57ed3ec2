// SPDX-License-Identifier: Apache-2.0
/** Drawing of the pictures of all commands. */
package io.hayate.cli.draw;
