// SPDX-License-Identifier: Apache-2.0
/** What all commands share: options that are checked, failures, the version. */
package io.hayate.cli.command;
