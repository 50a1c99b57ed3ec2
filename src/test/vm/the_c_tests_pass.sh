#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --limit 900
# What depends on the kernel: memory of other processes, memory files and huge pages, filters of
# sockets, and how the ranks of a node find and check each other. All else runs on the host alone.
exec bash /hayate/src/test/vm/guest/c_tests.sh 'path/cma/*_test' 'path/kmod/*_test' \
    net/ofi/ofi_guard_test boot/segment_test boot/huge_pages_test boot/node_test
