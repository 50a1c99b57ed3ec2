/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all settings. After a change, `mvn test -Dtest=SettingsTest
 * -Dhayate.docs.write=true` generates the tables of the manual and of the guide. */
#include "base/settings.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define MIB(n) (UINT64_C(n) << 20)
#define GIB(n) (UINT64_C(n) << 30)

#define COLLECTIVE(variable, which) \
    { \
        .name = variable, .property = "hayate.coll." which, .type = HY_TYPE_OPTIONS, \
        .unset = "chosen by the cost model", \
        .meaning = "As HAYATE_COLL, for " which " only; it takes precedence." \
    }
#define OF_LAUNCHER(variable, text) \
    { \
        .name = variable, .type = HY_TYPE_RANK, .reader = "set by hayate run", .meaning = text \
    }

const hy_setting hy_settings[HY_SETTINGS] = {
    [HY_SET_HEAP] = {.name = "HAYATE_HEAP",
                     .type = HY_TYPE_BYTES,
                     .low = HY_HEAP_LOW,
                     .high = HY_HEAP_HIGH,
                     .unset = "half of the memory divided by the number of ranks",
                     .reader = "hayate run, otherwise the first rank of each node",
                     .meaning = "Size of each rank's symmetric heap, as hayate run --heap. Only "
                                "pages that are touched take memory. On several nodes the default "
                                "is at most 1G."},
    [HY_SET_NET] = {.name = "HAYATE_NET",
                    .type = HY_TYPE_CHOICE,
                    .words = WORDS("auto", "verbs", "ofi"),
                    .meaning = "Network between nodes: verbs is libibverbs, ofi is libfabric. "
                               "With auto, the first that all nodes can use. All ranks must have "
                               "the same value."},
    [HY_SET_NET_DEVICE] = {.name = "HAYATE_NET_DEVICE",
                           .type = HY_TYPE_NAME,
                           .unset = "chosen by the network",
                           .meaning = "Network interface or device, such as eth0 or mlx5_0:1."},
    [HY_SET_NET_PORTS] = {.name = "HAYATE_NET_PORTS",
                          .type = HY_TYPE_RANGE,
                          .low = 1,
                          .high = 65535,
                          .unset = "any free ports",
                          .meaning = "TCP ports at which ranks listen over libfabric, for a "
                                     "firewall. A rank takes one port for each endpoint that its "
                                     "threads share (HAYATE_ENDPOINTS). Over verbs ranks use no "
                                     "ports."},
    [HY_SET_NET_ADMIT] = {.name = "HAYATE_NET_ADMIT",
                          .type = HY_TYPE_CHOICE,
                          .words = WORDS("hosts", "any"),
                          .meaning = "Who may connect to a rank over TCP: hosts (the kernel drops "
                                     "packets from hosts that are not nodes of the job) or any "
                                     "(if the addresses of nodes are translated on the way)."},
    [HY_SET_NET_SILENCE] = {.name = "HAYATE_NET_SILENCE",
                            .type = HY_TYPE_NUMBER,
                            .low = 1,
                            .high = 3600,
                            .fallback = HY_NET_SILENCE_DEFAULT,
                            .unit = "seconds",
                            .meaning = "Time after which a rank of another node has failed if "
                                       "this rank waits for it and receives no sign of life."},
    [HY_SET_NET_LOCAL] = {.name = "HAYATE_NET_LOCAL",
                          .type = HY_TYPE_CHOICE,
                          .words = WORDS("none", "verbs", "ofi"),
                          .meaning = "Network between the ranks of a job on one node, instead of "
                                     "shared memory, to measure or test the network on one "
                                     "machine. An error in a job on several nodes. All ranks must "
                                     "have the same value."},
    [HY_SET_OFI_PROVIDER] = {.name = "HAYATE_OFI_PROVIDER",
                             .type = HY_TYPE_NAME,
                             .unset = HY_OFI_PROVIDER_DEFAULT,
                             .meaning = "Provider of libfabric. All ranks must have the same "
                                        "value."},
    [HY_SET_LIBRARIES] = {.name = "HAYATE_LIBRARIES",
                          .type = HY_TYPE_FOLDERS,
                          .unset = "the search path of the system",
                          .meaning = "Where Hayate looks first for libfabric.so.1, "
                                     "libibverbs.so.1, libpmix.so.2, libhwloc.so.15 and "
                                     "libscalapack. Each is loaded only if it is needed."},
    [HY_SET_ENDPOINTS] = {.name = "HAYATE_ENDPOINTS",
                          .type = HY_TYPE_NUMBER,
                          .words = WORDS("auto", "thread"),
                          .low = 1,
                          .high = HY_ENDPOINTS_HIGH,
                          .fallback = HY_ENDPOINTS_AUTO,
                          .meaning = "Endpoints that the threads of a rank share, in the global "
                                     "space and on a network; see hayate-ompl(7). With thread, "
                                     "each thread has its own. With auto, a global space has as "
                                     "many as the program asks for, or one for each thread if it "
                                     "does not ask, and a network has 8. Ranks may have different "
                                     "values."},
    [HY_SET_EAGER_LIMIT] = {.name = "HAYATE_EAGER_LIMIT",
                            .type = HY_TYPE_BYTES,
                            .low = HY_EAGER_LIMIT_LOW,
                            .high = MIB(1),
                            .fallback = HY_EAGER_LIMIT_DEFAULT,
                            .meaning = "Longest message that is sent without waiting for its "
                                       "receive. All ranks must have the same value."},
    [HY_SET_RENDEZVOUS] = {.name = "HAYATE_RENDEZVOUS",
                           .type = HY_TYPE_CHOICE,
                           .words = WORDS("auto", "pipeline", "cma", "heap", "direct", "copy",
                                          "attach"),
                           .meaning = "Protocol for longer messages; see hayate-fmpl(7). Between "
                                      "ranks of one address space direct works, with the kernel "
                                      "module (/dev/hayate) attach and copy. All ranks must have "
                                      "the same value."},
    [HY_SET_CMA_FROM] = {.name = "HAYATE_CMA_FROM",
                         .type = HY_TYPE_BYTES,
                         .high = UINT64_MAX,
                         .fallback = MIB(16),
                         .meaning = "Length from which a single copy by the kernel (copy or cma) "
                                    "is always preferred to pipeline. Between 128K and it, Hayate "
                                    "measures which is faster, while messages are sent. All ranks "
                                    "must have the same value."},
    [HY_SET_ATTACH_CACHE] = {.name = "HAYATE_ATTACH_CACHE",
                             .type = HY_TYPE_BYTES,
                             .high = HY_ATTACH_CACHE_HIGH,
                             .fallback = GIB(1),
                             .meaning = "How much memory of other ranks a rank keeps attached, in "
                                        "windows of 4 MiB. The window that has not been used for "
                                        "the longest time is replaced first. Below 4M nothing is "
                                        "attached, and memory outside the heap is copied. Needs "
                                        "the kernel module (/dev/hayate)."},
    [HY_SET_WAIT] =
        {.name = "HAYATE_WAIT",
         .type = HY_TYPE_CHOICE,
         .words = WORDS("adaptive", "spin", "block"),
         .meaning = "How a rank waits. spin: it polls and never sleeps. block: it yields its core "
                    "to other threads a few times, then sleeps. adaptive: it polls for a while "
                    "before that. With more ranks than cores, adaptive is the same as block."},
    [HY_SET_COLL] = {.name = "HAYATE_COLL",
                     .property = "hayate.coll",
                     .type = HY_TYPE_OPTIONS,
                     .unset = "chosen by the cost model",
                     .meaning = "Hint for all collectives, such as algorithm=ring,transfer=put; "
                                "see hayate-pcoll(7). Ordinary collectives of Fmpl do not read "
                                "the system property. All ranks must have the same value."},
    [HY_SET_COLL_BARRIER] = COLLECTIVE("HAYATE_COLL_BARRIER", "barrier"),
    [HY_SET_COLL_BCAST] = COLLECTIVE("HAYATE_COLL_BCAST", "bcast"),
    [HY_SET_COLL_REDUCE] = COLLECTIVE("HAYATE_COLL_REDUCE", "reduce"),
    [HY_SET_COLL_ALLREDUCE] = COLLECTIVE("HAYATE_COLL_ALLREDUCE", "allreduce"),
    [HY_SET_COLL_GATHER] = COLLECTIVE("HAYATE_COLL_GATHER", "gather"),
    [HY_SET_COLL_SCATTER] = COLLECTIVE("HAYATE_COLL_SCATTER", "scatter"),
    [HY_SET_COLL_ALLGATHER] = COLLECTIVE("HAYATE_COLL_ALLGATHER", "allgather"),
    [HY_SET_COLL_ALLTOALL] = COLLECTIVE("HAYATE_COLL_ALLTOALL", "alltoall"),
    [HY_SET_COLL_REDUCE_SCATTER] = COLLECTIVE("HAYATE_COLL_REDUCE_SCATTER", "reduce_scatter"),
    [HY_SET_COLL_SCAN] = COLLECTIVE("HAYATE_COLL_SCAN", "scan"),
    [HY_SET_COLL_EXSCAN] = COLLECTIVE("HAYATE_COLL_EXSCAN", "exscan"),
    [HY_SET_COLL_RULES] = {.name = "HAYATE_COLL_RULES",
                           .property = "hayate.coll.rules",
                           .type = HY_TYPE_FILE,
                           .unset = "none",
                           .meaning = "File with rules for collectives; see hayate-pcoll(7). It "
                                      "must have the same contents on all nodes."},
    [HY_SET_TUNING] = {.name = "HAYATE_TUNING",
                       .type = HY_TYPE_FILE,
                       .unset = "tuning-MACHINE.conf in ~/.cache/hayate",
                       .meaning = "Tuning file, written by hayate tune, or none to use no file. "
                                  "If $XDG_CACHE_HOME is set, $XDG_CACHE_HOME/hayate replaces "
                                  "~/.cache/hayate."},
    [HY_SET_LOG] = {.name = "HAYATE_LOG",
                    .type = HY_TYPE_CHOICE,
                    .words = WORDS("error", "warn", "info", "debug"),
                    .fallback = 1,
                    .meaning = "How much the library writes to its log. Level info adds, for "
                               "example, why a protocol is not used. Level debug adds what was "
                               "chosen at set-up, and for each error the function that found "
                               "it."},
    [HY_SET_LOG_TO] = {.name = "HAYATE_LOG_TO",
                       .property = "hayate.log.to",
                       .type = HY_TYPE_CHOICE,
                       .words = WORDS("stderr", "logger"),
                       .reader = "Java",
                       .meaning = "Destination of the log: standard error, or the System.Logger "
                                  "named io.hayate. C programs always write to standard error."},
    [HY_SET_WATCHDOG] = {.name = "HAYATE_WATCHDOG",
                         .type = HY_TYPE_NUMBER,
                         .words = WORDS("off"),
                         .low = 1,
                         .high = 86400,
                         .fallback = HY_WATCHDOG_OFF,
                         .unit = "seconds",
                         .meaning = "Time, such as 30s, after which a wait tells in the log what "
                                    "it is for. A deadlock of ranks of one node is named as "
                                    "such."},
    [HY_SET_FLIGHT] = {.name = "HAYATE_FLIGHT",
                       .type = HY_TYPE_FILE,
                       .unset = "off",
                       .meaning = "Flight recorder: each rank keeps its last operations in a file, "
                                  "for hayate flight, also after its death. on: in $TMPDIR, else "
                                  "in /tmp. An absolute path: in this directory. hayate run makes "
                                  "a directory there for each job, and removes it if the job "
                                  "succeeds."},
    [HY_SET_TIMEOUT] = {.name = "HAYATE_TIMEOUT",
                        .type = HY_TYPE_NUMBER,
                        .words = WORDS("off"),
                        .low = 1,
                        .high = 86400,
                        .fallback = HY_TIMEOUT_OFF,
                        .unit = "seconds",
                        .meaning = "Time, such as 300s, after which a collective that waits for "
                                   "other ranks is given up, and in Java the wait of any call of "
                                   "an Fmpl ends. Fmpl.timeout and fmpl_timeout_set replace it."},
    [HY_SET_SURVIVE] = {.name = "HAYATE_SURVIVE",
                        .type = HY_TYPE_CHOICE,
                        .words = WORDS("0", "1"),
                        .meaning = "1: the job goes on when a rank has died, as hayate run "
                                   "--survive, which sets it. The death ends the waits of all "
                                   "other ranks, which then call Communicator.shrink. All ranks "
                                   "must have the same value."},
    [HY_SET_DELEGATE] = {.name = "HAYATE_DELEGATE",
                         .type = HY_TYPE_CHOICE,
                         .words = WORDS("auto", "on", "off"),
                         .reader = "hayate run",
                         .meaning = "Whether hayate run starts a delegatee, as --delegate. With "
                                    "auto, if a launcher of the cluster has started hayate run as "
                                    "one of several processes."},
    [HY_SET_DELEGATE_WAIT] = {.name = "HAYATE_DELEGATE_WAIT",
                              .type = HY_TYPE_CHOICE,
                              .words = WORDS("adaptive", "poll", "interrupt"),
                              .reader = "the delegatee",
                              .meaning = "How a delegatee learns of commands and messages: poll "
                                         "never sleeps, interrupt sleeps as soon as it has nothing "
                                         "to do, adaptive polls for a moment and then sleeps."},
    [HY_SET_NODE] = {.name = "HAYATE_NODE",
                     .type = HY_TYPE_NAME,
                     .unset = "none",
                     .reader = "Java",
                     .meaning = "In a job of a Bootstrap, ranks of one machine with different "
                                "names are ranks of different nodes, which communicate by the "
                                "network; for tests. Equal names do not make one node of two "
                                "machines or containers."},
    [HY_SET_STORE] = {.name = "HAYATE_STORE",
                      .type = HY_TYPE_NAME,
                      .unset = "none",
                      .reader = "Java",
                      .meaning = "Where rank 0 listens, as host:port, while the ranks of a job "
                                 "without a launcher join. Each rank then needs HAYATE_RANK and "
                                 "HAYATE_SIZE, too."},
    [HY_SET_STORE_SECRET] = {.name = "HAYATE_STORE_SECRET",
                             .type = HY_TYPE_FILE,
                             .unset = "none",
                             .reader = "Java",
                             .meaning = "Private file with the secret of the ranks that meet at a "
                                        "store: 16 to 4096 bytes, the same for all ranks."},
    [HY_SET_STORE_NAME] = {.name = "HAYATE_STORE_NAME",
                           .type = HY_TYPE_NAME,
                           .unset = "none",
                           .reader = "Java",
                           .meaning = "Name of the job, which all of its ranks that meet at a "
                                      "store have in common, of letters, digits, dots, hyphens and "
                                      "underscores."},
    [HY_SET_STORE_LIMIT] = {.name = "HAYATE_STORE_LIMIT",
                            .type = HY_TYPE_NUMBER,
                            .low = 1,
                            .high = 86400,
                            .fallback = 300,
                            .unit = "seconds",
                            .reader = "Java",
                            .meaning = "How long a rank waits at the store for the others."},
    [HY_SET_RUN] = {.name = "HAYATE_RUN",
                    .property = "hayate.run",
                    .property_first = true,
                    .type = HY_TYPE_FILE,
                    .unset = "next to the classes, or inside the jar",
                    .reader = "the hayate command",
                    .meaning = "Native launcher that hayate run starts."},
    [HY_SET_LIBRARY_PATH] = {.property = "hayate.library.path",
                             .type = HY_TYPE_FILE,
                             .unset = "inside the jar",
                             .reader = "Java",
                             .meaning = "File libhayate.so, or the directory that contains it."},
    [HY_SET_SCALAPACK] = {.name = "HAYATE_SCALAPACK",
                          .property = "hayate.scalapack",
                          .type = HY_TYPE_FILE,
                          .unset = "libscalapack as distributions name it",
                          .reader = "Java",
                          .meaning = "Library that io.hayate.scalapack loads: a file, or a name on "
                                     "the search path of the system."},
    [HY_SET_RANK] = OF_LAUNCHER("HAYATE_RANK", "Number of this rank in the job."),
    [HY_SET_SIZE] = OF_LAUNCHER("HAYATE_SIZE", "Number of ranks in the job."),
    [HY_SET_LOCAL_RANK] = OF_LAUNCHER("HAYATE_LOCAL_RANK", "Number of this rank on its node."),
    [HY_SET_BOOT_FD] = OF_LAUNCHER("HAYATE_BOOT_FD", "Descriptor of the socket to the launcher."),
};
