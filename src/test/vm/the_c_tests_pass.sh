#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --limit 1800
# What depends most on the kernel: memory of other processes, filters of sockets, and what ranks
# start from.
exec bash /hayate/src/test/vm/guest/c_tests.sh 'path/shm/*_test' 'path/cma/*_test' \
    'path/kmod/*_test' path/ofi/ofi_guard_test 'boot/*_test'
