/* SPDX-License-Identifier: Apache-2.0 */
/* All settings. After a change `mvn test -Dtest=SettingsTest -Dhayate.docs.write=true` writes the
 * tables of the manual and of the guide anew. */
#include "base/settings.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define KIB(n) (UINT64_C(n) << 10)
#define MIB(n) (UINT64_C(n) << 20)
#define GIB(n) (UINT64_C(n) << 30)

#define COLLECTIVE(variable, which) \
    { \
        .name = variable, .property = "hayate.coll." which, .type = HY_TYPE_OPTIONS, \
        .unset = "the model's choice", .meaning = "The same for " which " alone; it is stronger." \
    }
#define OF_LAUNCHER(variable, text) \
    { \
        .name = variable, .type = HY_TYPE_RANK, .reader = "set by hayate run", .meaning = text \
    }
#define RETIRED(variable, text) \
    { \
        .name = variable, .type = HY_TYPE_RETIRED, .meaning = text \
    }

const hy_setting hy_settings[HY_SETTINGS] = {
    [HY_SET_HEAP] = {.name = "HAYATE_HEAP",
                     .type = HY_TYPE_BYTES,
                     .low = HY_HEAP_LOW,
                     .high = HY_HEAP_HIGH,
                     .unset = "half of the memory divided by the ranks",
                     .reader = "hayate run, else the first rank of each node",
                     .meaning = "Symmetric heap of each rank, as hayate run --heap. Only pages "
                                "that are touched take memory. On several nodes the default is "
                                "at most 1G."},
    [HY_SET_NET] = {.name = "HAYATE_NET",
                    .type = HY_TYPE_CHOICE,
                    .words = WORDS("auto", "verbs", "ofi"),
                    .meaning = "Network between nodes: verbs is libibverbs, ofi is libfabric; "
                               "auto takes the first that all nodes can use. The same for all "
                               "ranks."},
    [HY_SET_NET_DEVICE] = {.name = "HAYATE_NET_DEVICE",
                           .type = HY_TYPE_NAME,
                           .unset = "the network's own choice",
                           .meaning = "Interface or device of the network, such as eth0 or "
                                      "mlx5_0:1."},
    [HY_SET_NET_PORTS] = {.name = "HAYATE_NET_PORTS",
                          .type = HY_TYPE_RANGE,
                          .low = 1,
                          .high = 65535,
                          .unset = "any that is free",
                          .meaning = "TCP ports at which ranks listen over libfabric, for a "
                                     "firewall. A rank takes one for each endpoint that its "
                                     "threads share (HAYATE_ENDPOINTS). Over verbs there are "
                                     "none."},
    [HY_SET_NET_ADMIT] = {.name = "HAYATE_NET_ADMIT",
                          .type = HY_TYPE_CHOICE,
                          .words = WORDS("hosts", "any"),
                          .meaning = "Who may connect to a rank over TCP: hosts (the kernel drops "
                                     "packets from hosts that are no nodes of the job) or any "
                                     "(for nodes whose addresses are translated on the way)."},
    [HY_SET_NET_SILENCE] = {.name = "HAYATE_NET_SILENCE",
                            .type = HY_TYPE_NUMBER,
                            .low = 1,
                            .high = 3600,
                            .fallback = HY_NET_SILENCE_DEFAULT,
                            .unit = "seconds",
                            .meaning = "Time after which a rank of another node that is waited "
                                       "for and gives no sign of life has failed."},
    [HY_SET_NET_LOCAL] = {.name = "HAYATE_NET_LOCAL",
                          .type = HY_TYPE_CHOICE,
                          .words = WORDS("none", "verbs", "ofi"),
                          .meaning = "Network by which the ranks of a job on one node reach each "
                                     "other instead of by shared memory, to measure or to test it "
                                     "on one machine. An error in a job on several nodes. The "
                                     "same for all ranks."},
    [HY_SET_OFI_PROVIDER] = {.name = "HAYATE_OFI_PROVIDER",
                             .type = HY_TYPE_NAME,
                             .unset = HY_OFI_PROVIDER_DEFAULT,
                             .meaning = "Provider of libfabric. The same for all ranks."},
    [HY_SET_LIBRARIES] = {.name = "HAYATE_LIBRARIES",
                          .type = HY_TYPE_FOLDERS,
                          .unset = "where the system looks",
                          .meaning = "Where libfabric.so.1, libibverbs.so.1, libpmix.so.2 and "
                                     "libhwloc.so.15 are looked for first. Each is loaded only "
                                     "where it is needed."},
    [HY_SET_ENDPOINTS] = {.name = "HAYATE_ENDPOINTS",
                          .type = HY_TYPE_NUMBER,
                          .words = WORDS("auto", "thread"),
                          .low = 1,
                          .high = HY_ENDPOINTS_HIGH,
                          .fallback = HY_ENDPOINTS_AUTO,
                          .meaning = "Endpoints that the threads of a rank share, in the global "
                                     "space and on a network; see hayate-ompl(7). With thread each "
                                     "thread has its own. With auto a global space has what the "
                                     "program asks for, else one for each thread, and a network "
                                     "8. Ranks may differ."},
    [HY_SET_EAGER_LIMIT] = {.name = "HAYATE_EAGER_LIMIT",
                            .type = HY_TYPE_BYTES,
                            .low = HY_EAGER_LIMIT_LOW,
                            .high = MIB(1),
                            .fallback = HY_EAGER_LIMIT_DEFAULT,
                            .meaning = "Longest message that is sent without waiting for its "
                                       "receive. The same for all ranks."},
    [HY_SET_RENDEZVOUS] = {.name = "HAYATE_RENDEZVOUS",
                           .type = HY_TYPE_CHOICE,
                           .words = WORDS("auto", "pipeline", "cma", "heap", "direct", "copy",
                                          "attach"),
                           .meaning = "Way of longer messages; see hayate-fmpl(7). direct is for "
                                      "ranks of one address space, attach and copy are by the "
                                      "kernel module (/dev/hayate). The same for all ranks."},
    [HY_SET_CMA_FROM] = {.name = "HAYATE_CMA_FROM",
                         .type = HY_TYPE_BYTES,
                         .high = UINT64_MAX,
                         .fallback = KIB(8),
                         .meaning = "Length from which on a single copy (attach, copy or cma) is "
                                    "chosen before pipeline. The same for all ranks."},
    [HY_SET_ATTACH_CACHE] = {.name = "HAYATE_ATTACH_CACHE",
                             .type = HY_TYPE_BYTES,
                             .high = HY_ATTACH_CACHE_HIGH,
                             .fallback = GIB(1),
                             .meaning = "Memory of other ranks that a rank has attached at a time, "
                                        "in windows of 4 MiB: the one that was not used for the "
                                        "longest time makes room for another. Below 4M nothing is "
                                        "attached, and memory outside of the heap is copied. Only "
                                        "where there is /dev/hayate."},
    [HY_SET_WAIT] = {.name = "HAYATE_WAIT",
                     .type = HY_TYPE_CHOICE,
                     .words = WORDS("adaptive", "spin", "block"),
                     .meaning = "How a rank waits: spin never sleeps, block never spins."},
    [HY_SET_COLL] = {.name = "HAYATE_COLL",
                     .property = "hayate.coll",
                     .type = HY_TYPE_OPTIONS,
                     .unset = "the model's choice",
                     .meaning = "How collectives are done, such as algorithm=ring,transfer=put; "
                                "see hayate-pcoll(7). Ordinary collectives of Fmpl read no "
                                "property. The same for all ranks."},
    [HY_SET_COLL_BARRIER] = COLLECTIVE("HAYATE_COLL_BARRIER", "barrier"),
    [HY_SET_COLL_BCAST] = COLLECTIVE("HAYATE_COLL_BCAST", "bcast"),
    [HY_SET_COLL_REDUCE] = COLLECTIVE("HAYATE_COLL_REDUCE", "reduce"),
    [HY_SET_COLL_ALLREDUCE] = COLLECTIVE("HAYATE_COLL_ALLREDUCE", "allreduce"),
    [HY_SET_COLL_GATHER] = COLLECTIVE("HAYATE_COLL_GATHER", "gather"),
    [HY_SET_COLL_SCATTER] = COLLECTIVE("HAYATE_COLL_SCATTER", "scatter"),
    [HY_SET_COLL_ALLGATHER] = COLLECTIVE("HAYATE_COLL_ALLGATHER", "allgather"),
    [HY_SET_COLL_ALLTOALL] = COLLECTIVE("HAYATE_COLL_ALLTOALL", "alltoall"),
    [HY_SET_COLL_REDUCE_SCATTER] = COLLECTIVE("HAYATE_COLL_REDUCE_SCATTER", "reduce_scatter"),
    [HY_SET_COLL_RULES] = {.name = "HAYATE_COLL_RULES",
                           .property = "hayate.coll.rules",
                           .type = HY_TYPE_FILE,
                           .unset = "none",
                           .meaning = "A file of rules for how collectives are done; see "
                                      "hayate-pcoll(7). Its contents must be the same on all "
                                      "nodes."},
    [HY_SET_TUNING] = {.name = "HAYATE_TUNING",
                       .type = HY_TYPE_FILE,
                       .unset = "tuning-MACHINE.json in ~/.cache/hayate",
                       .meaning = "The tuning file that hayate tune writes, or none for no file. "
                                  "$XDG_CACHE_HOME/hayate takes the place of ~/.cache/hayate where "
                                  "that variable is set."},
    [HY_SET_LOG] = {.name = "HAYATE_LOG",
                    .type = HY_TYPE_CHOICE,
                    .words = WORDS("error", "warn", "info", "debug"),
                    .fallback = 1,
                    .meaning = "What the library tells on standard error: info also why a way is "
                               "not used, and the like; debug also what was chosen at set-up, and "
                               "for each error the function that found it."},
    [HY_SET_RUN] = {.name = "HAYATE_RUN",
                    .property = "hayate.run",
                    .property_first = true,
                    .type = HY_TYPE_FILE,
                    .unset = "beside the classes, or inside the jar",
                    .reader = "the hayate command",
                    .meaning = "The native launcher behind hayate run."},
    [HY_SET_LIBRARY_PATH] = {.property = "hayate.library.path",
                             .type = HY_TYPE_FILE,
                             .unset = "inside the jar",
                             .reader = "Java",
                             .meaning = "libhayate.so, or the directory that it is in."},
    [HY_SET_RANK] = OF_LAUNCHER("HAYATE_RANK", "Number of this rank in the job."),
    [HY_SET_SIZE] = OF_LAUNCHER("HAYATE_SIZE", "Number of ranks in the job."),
    [HY_SET_LOCAL_RANK] = OF_LAUNCHER("HAYATE_LOCAL_RANK", "Number of this rank on its node."),
    [HY_SET_BOOT_FD] = OF_LAUNCHER("HAYATE_BOOT_FD", "Descriptor of the socket to the launcher."),
    [HY_SET_OMPL_ENDPOINTS] = RETIRED("HAYATE_OMPL_ENDPOINTS",
                                      "HAYATE_ENDPOINTS is for the global space, too"),
    [HY_SET_OFI_ENDPOINTS] = RETIRED("HAYATE_OFI_ENDPOINTS",
                                     "HAYATE_ENDPOINTS is for all networks"),
    [HY_SET_VERBS_ENDPOINTS] = RETIRED("HAYATE_VERBS_ENDPOINTS",
                                       "HAYATE_ENDPOINTS is for all networks"),
    [HY_SET_OFI_LIBRARY] = RETIRED("HAYATE_OFI_LIBRARY",
                                   "name the directory of the library in HAYATE_LIBRARIES"),
    [HY_SET_VERBS_LIBRARY] = RETIRED("HAYATE_VERBS_LIBRARY",
                                     "name the directory of the library in HAYATE_LIBRARIES"),
    [HY_SET_PMIX_LIBRARY] = RETIRED("HAYATE_PMIX_LIBRARY",
                                    "name the directory of the library in HAYATE_LIBRARIES"),
};
