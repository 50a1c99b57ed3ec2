// SPDX-License-Identifier: Apache-2.0
/** What the pictures of all commands are drawn with. */
package io.hayate.cli.draw;
