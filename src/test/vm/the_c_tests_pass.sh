#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --limit 1800
# What depends most on the kernel: memory of other processes, and what ranks start from.
exec bash /hayate/src/test/vm/guest/c_tests.sh 'path/*/*_test' 'boot/*_test'
