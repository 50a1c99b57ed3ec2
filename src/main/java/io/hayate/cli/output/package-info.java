// SPDX-License-Identifier: Apache-2.0
/** What commands print and write: tables, JSON, numbers, pictures. */
package io.hayate.cli.output;
