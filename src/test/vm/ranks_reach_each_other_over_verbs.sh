#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: guest --rdma --limit 1800
# Between ranks that share a device, and between the two at the ends of a cable.
exec bash /hayate/src/test/vm/guest/c_tests.sh 'net/verbs/*_test'
