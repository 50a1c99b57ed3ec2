/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of `hayate run` from a table with one function for each option. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "base/spelling.h"
#include "base/status.h"
#include "boot/segment.h"
#include "launch/launch.h"

#define PARTITION_LOW (UINT64_C(1) << 30)
#define PARTITION_HIGH (UINT64_C(4) << 40)
#define NODES_HIGH 65536

typedef int parser(hy_launch_options *options, const char *value);

typedef struct option {
    const char *name;
    bool takes_value;
    parser *parse;
} option;

int hy_launch_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("hayate run: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\nTry 'hayate run --help'.\n", stderr);
    va_end(arguments);
    return -1;
}

int hy_launch_usage(void)
{
    fputs(
        "Usage: hayate run -n N [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
        "Starts N ranks of COMMAND on this node and ends when all of them have ended.\n\n"
        "  -n N, -np N            number of ranks, 1 to 4096\n"
        "  --bind WHAT            the CPUs of each rank (default: its share of all CPUs, none if\n"
        "                         there are more ranks than CPUs): core (one CPU), numa, socket,\n"
        "                         none (all CPUs), or a set for each rank such as 0-3,8:4-7,9\n"
        "  --cpus-per-rank N      N CPUs for each rank, within a NUMA domain if possible\n"
        "  --heap SIZE            symmetric heap per rank, such as 64M or 2G (default: half of\n"
        "                         the memory divided by N; only touched pages use memory)\n"
        "  --pvas                 ranks are tasks of one address space: they read and write each\n"
        "                         other's memory directly (COMMAND: a position-independent\n"
        "                         executable, or a script that ends in exec of one)\n"
        "  --partition SIZE       addresses of each task in that address space, a power of two\n"
        "                         from 1G to 4T (default: 256G, less for more than 128 ranks)\n"
        "  --blacs                load libhayate-blacs.so into the ranks: programs that use\n"
        "                         ScaLAPACK then run over Hayate instead of MPI\n"
        "  --mpi                  COMMAND is java, and its program uses MPI for Java: add the\n"
        "                         package mpi, in place of the program's mpi.jar or mpj.jar\n"
        "  --mpi-path PATH        jars for --mpi, a module path (default: the directory mpi next\n"
        "                         to hayate-run)\n"
        "  --mpj-arguments        begin the arguments of the program with the three that MPJ\n"
        "                         Express passes: rank, size, device\n"
        "  --delegate             one process of the node, its delegatee, communicates with other\n"
        "                         nodes for all ranks: start hayate run once on each node by\n"
        "                         mpiexec, mpirun or srun (default: HAYATE_DELEGATE)\n"
        "  --delegate-core N      a CPU for the delegatee; ranks are not bound to it\n"
        "  --nodes M              the job has N ranks on each of M nodes: call hayate run on\n"
        "                         every node, without an MPI launcher, for Java programs\n"
        "  --node I               the number of this node, from 0\n"
        "  --store HOST:PORT      where rank 0, on node 0, listens while these ranks join\n"
        "  --secret FILE          private file, equal on all nodes, with the secret for it\n"
        "                         (default: HAYATE_STORE_SECRET)\n"
        "  --output WAY           line: lines of ranks never mix (default with several ranks);\n"
        "                         tag: also put the rank before each line: [3] text;\n"
        "                         direct: ranks inherit stdout and stderr\n"
        "  --tag-output           the same as --output tag\n"
        "  --grace SECONDS        time from the first failure to SIGTERM for the other ranks\n"
        "                         (default: 2)\n"
        "  --stop-timeout SECONDS a rank that is stopped for longer fails (default: 5; 0: no\n"
        "                         limit)\n"
        "  --linger SECONDS       name a rank that has left the job and does nothing, but does\n"
        "                         not end for so long (default: 5; 0: never), and say when no\n"
        "                         rank does anything for six times as long\n"
        "  --survive              when a rank fails, the other ranks go on: they call\n"
        "                         Communicator.shrink (default: HAYATE_SURVIVE)\n"
        "  -x NAME=VALUE          set an environment variable of the ranks\n"
        "  -v                     say on stderr which CPUs each rank has\n"
        "  --help                 print this text\n\n"
        "Each rank finds HAYATE_RANK, HAYATE_SIZE and HAYATE_LOCAL_RANK in its environment.\n"
        "SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 go to all ranks; a second SIGINT\n"
        "kills them. The exit status is 0 if all ranks exit with 0, otherwise that of the first\n"
        "rank that failed (128 + signal if it was killed); with --survive it is 0 if any rank\n"
        "exits with 0; 2 for wrong options; 126 or 127 if\n"
        "COMMAND cannot be executed or found; except with --output direct, 1 if output cannot be\n"
        "written and 141 if its reader has closed it.\n",
        stdout);
    if (fflush(stdout) == 0) return 0;
    fprintf(stderr, "hayate: cannot write to stdout: %s\n", strerror(errno));
    return 1;
}

static int parse_ranks(hy_launch_options *options, const char *value)
{
    char *end;
    errno = 0;
    long ranks = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : 0;
    if (ranks < 1 || ranks > HY_MAX_PARTS || *end || errno)
        return hy_launch_refuse("-n %s: expected a number of ranks from 1 to %d", value,
                                HY_MAX_PARTS);
    options->ranks = (int)ranks;
    return 0;
}

static int parse_bind(hy_launch_options *options, const char *value)
{
    static const char *const words[] = {[HY_BIND_NONE] = "none",
                                        [HY_BIND_CORE] = "core",
                                        [HY_BIND_DOMAIN] = "numa",
                                        [HY_BIND_SOCKET] = "socket"};
    options->bind_list = NULL;
    for (int bind = HY_BIND_NONE; bind <= HY_BIND_SOCKET; bind++)
        if (strcmp(value, words[bind]) == 0) {
            options->bind = bind;
            return 0;
        }
    if (*value < '0' || *value > '9')
        return hy_launch_refuse(
            "--bind %s: expected core, numa, socket, none, or a set of CPUs for each "
            "rank such as 0-3:4-7",
            value);
    options->bind = HY_BIND_LIST;
    options->bind_list = value;
    return 0;
}

static int parse_cpus_per_rank(hy_launch_options *options, const char *value)
{
    char *end;
    errno = 0;
    long cpus = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : 0;
    if (cpus < 1 || cpus > CPU_SETSIZE || *end || errno)
        return hy_launch_refuse("--cpus-per-rank %s: expected a number of CPUs from 1 to %d", value,
                                CPU_SETSIZE);
    options->cpus_per_rank = (int)cpus;
    return 0;
}

static int parse_verbose(hy_launch_options *options, const char *value)
{
    (void)value;
    options->verbose = true;
    return 0;
}

static int parse_heap(hy_launch_options *options, const char *value)
{
    char accepted[120];
    if (hy_setting_check(HY_SET(HEAP), value) == 0)
        return hy_parse_bytes(value, &options->heap_bytes);
    hy_setting_print_accepted(HY_SET(HEAP), accepted, sizeof accepted);
    return hy_launch_refuse("--heap %s: expected %s", value, accepted);
}

static int parse_partition(hy_launch_options *options, const char *value)
{
    uint64_t bytes = 0;
    if (hy_parse_bytes(value, &bytes) != 0 || bytes < PARTITION_LOW || bytes > PARTITION_HIGH ||
        (bytes & (bytes - 1)))
        return hy_launch_refuse("--partition %s: expected a power of two from 1G to 4T", value);
    options->partition_bytes = bytes;
    return 0;
}

static int parse_pvas(hy_launch_options *options, const char *value)
{
    (void)value;
    options->pvas = true;
    return 0;
}

static int parse_blacs(hy_launch_options *options, const char *value)
{
    (void)value;
    options->blacs = true;
    return 0;
}

static int parse_mpi(hy_launch_options *options, const char *value)
{
    (void)value;
    options->mpi = true;
    return 0;
}

static int parse_mpi_path(hy_launch_options *options, const char *value)
{
    options->mpi_path = value;
    return 0;
}

static int parse_mpj_arguments(hy_launch_options *options, const char *value)
{
    (void)value;
    options->mpj_arguments = true;
    return 0;
}

static int parse_delegate(hy_launch_options *options, const char *value)
{
    (void)value;
    options->delegate = true;
    return 0;
}

static int parse_delegate_core(hy_launch_options *options, const char *value)
{
    char *end;
    errno = 0;
    long core = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : -1;
    if (core < 0 || core >= CPU_SETSIZE || *end || errno)
        return hy_launch_refuse("--delegate-core %s: expected the number of a CPU", value);
    options->delegate_core = (int)core;
    return 0;
}

static int parse_whole(const char *name, const char *value, long low, long high, int *number)
{
    char *end;
    errno = 0;
    long whole = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : low - 1;
    if (whole < low || whole > high || *end || errno)
        return hy_launch_refuse("%s %s: expected a number from %ld to %ld", name, value, low, high);
    *number = (int)whole;
    return 0;
}

static int parse_nodes(hy_launch_options *options, const char *value)
{
    return parse_whole("--nodes", value, 1, NODES_HIGH, &options->nodes);
}

static int parse_node(hy_launch_options *options, const char *value)
{
    return parse_whole("--node", value, 0, NODES_HIGH - 1, &options->node);
}

static int parse_store(hy_launch_options *options, const char *value)
{
    options->store = value;
    return 0;
}

static int parse_secret(hy_launch_options *options, const char *value)
{
    options->secret = value;
    return 0;
}

static int parse_seconds(const char *name, const char *value, uint64_t *ns)
{
    char *end = NULL;
    double seconds = *value >= '0' && *value <= '9' ? strtod(value, &end) : -1;
    if (!end || *end || !(seconds >= 0 && seconds <= 1e6))
        return hy_launch_refuse("%s %s: expected seconds from 0 to 1000000", name, value);
    *ns = (uint64_t)(seconds * 1e9);
    return 0;
}

static int parse_grace(hy_launch_options *options, const char *value)
{
    return parse_seconds("--grace", value, &options->grace_ns);
}

static int parse_stop_timeout(hy_launch_options *options, const char *value)
{
    return parse_seconds("--stop-timeout", value, &options->stop_timeout_ns);
}

static int parse_linger(hy_launch_options *options, const char *value)
{
    return parse_seconds("--linger", value, &options->linger_ns);
}

static int parse_survive(hy_launch_options *options, const char *value)
{
    (void)options;
    (void)value;
    return setenv("HAYATE_SURVIVE", "1", 1) ? hy_launch_refuse("--survive: %s", strerror(errno))
                                            : 0;
}

/* The ranks read the variable: it decides, whoever has set it. */
static int read_survive(hy_launch_options *options)
{
    uint64_t word;
    if (hy_setting_value(HY_SET(SURVIVE), &word)) return hy_launch_refuse("%s", hayate_error());
    options->survive = word == 1;
    return 0;
}

static int parse_tag(hy_launch_options *options, const char *value)
{
    (void)value;
    options->output = HY_OUTPUT_TAG;
    return 0;
}

static int parse_output(hy_launch_options *options, const char *value)
{
    static const char *const words[] = {
        [HY_OUTPUT_DIRECT] = "direct", [HY_OUTPUT_LINE] = "line", [HY_OUTPUT_TAG] = "tag"};
    for (int output = HY_OUTPUT_DIRECT; output <= HY_OUTPUT_TAG; output++)
        if (strcmp(value, words[output]) == 0) {
            options->output = output;
            return 0;
        }
    return hy_launch_refuse("--output %s: expected line, tag or direct", value);
}

static int parse_help(hy_launch_options *options, const char *value)
{
    (void)value;
    options->help = true;
    return 0;
}

static bool is_reserved(const char *name)
{
    static const char *const names[] = {"HAYATE_RANK", "HAYATE_SIZE", "HAYATE_LOCAL_RANK",
                                        "HAYATE_BOOT_FD"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static int parse_export(hy_launch_options *options, const char *value)
{
    (void)options;
    const char *sign = strchr(value, '=');
    if (!sign || sign == value) return hy_launch_refuse("-x %s: expected NAME=VALUE", value);
    char *name = strndup(value, (size_t)(sign - value));
    if (!name) return hy_launch_refuse("-x %s: out of memory", value);
    int rc = is_reserved(name) ? hy_launch_refuse("-x %s: hayate run itself sets %s", value, name)
             : setenv(name, sign + 1, 1) ? hy_launch_refuse("-x %s: %s", value, strerror(errno))
                                         : 0;
    free(name);
    return rc;
}

static const option known[] = {
    {"-np", true, parse_ranks}, /* before -n, whose value it would be */
    {"-n", true, parse_ranks},
    {"--bind", true, parse_bind},
    {"--cpus-per-rank", true, parse_cpus_per_rank},
    {"-v", false, parse_verbose},
    {"--heap", true, parse_heap},
    {"--tag-output", false, parse_tag},
    {"--output", true, parse_output},
    {"--grace", true, parse_grace},
    {"--stop-timeout", true, parse_stop_timeout},
    {"--linger", true, parse_linger},
    {"--survive", false, parse_survive},
    {"-x", true, parse_export},
    {"--pvas", false, parse_pvas},
    {"--help", false, parse_help},
    {"--partition", true, parse_partition},
    {"-h", false, parse_help},
    {"--blacs", false, parse_blacs},
    {"--mpi", false, parse_mpi},
    {"--mpi-path", true, parse_mpi_path},
    {"--mpj-arguments", false, parse_mpj_arguments},
    {"--delegate", false, parse_delegate},
    {"--delegate-core", true, parse_delegate_core},
    {"--nodes", true, parse_nodes},
    {"--node", true, parse_node},
    {"--store", true, parse_store},
    {"--secret", true, parse_secret},
};

/* Finds the option of `word`, and its value in a word such as "-n4" or "--heap=1G"; NULL if there
 * is no value. */
static const option *find_option(const char *word, const char **value)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (strncmp(word, known[i].name, length) != 0) continue;
        const char *rest = word + length;
        bool is_long = word[1] == '-';
        if (*rest && (!known[i].takes_value || (is_long && *rest != '='))) continue;
        *value = *rest ? rest + is_long : NULL;
        return &known[i];
    }
    return NULL;
}

static int unknown_option(const char *word)
{
    char name[HY_SPELLING_LENGTH + 2];
    const char *meant = NULL;
    int best = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, "--", 2) == 0 && strncmp(known[i].name, "--", 2) == 0 &&
            hy_spelling_nearer(name + 2, known[i].name + 2, &best))
            meant = known[i].name;
    return meant ? hy_launch_refuse("unknown option %s; did you mean %s?", word, meant)
                 : hy_launch_refuse("unknown option %s", word);
}

static int parse_one(int argc, char **argv, int *at, hy_launch_options *options)
{
    const char *value;
    const char *word = argv[*at];
    const option *found = find_option(word, &value);
    if (!found) return unknown_option(word);
    if (found->takes_value && !value) {
        if (*at + 1 >= argc) return hy_launch_refuse("%s needs a value", word);
        value = argv[++*at];
    }
    return found->parse(options, value);
}

int hy_launch_parse(int argc, char **argv, hy_launch_options *options)
{
    *options = (hy_launch_options){.bind = HY_BIND_SHARE,
                                   .delegate_core = -1,
                                   .node = -1,
                                   .grace_ns = UINT64_C(2000000000),
                                   .stop_timeout_ns = UINT64_C(5000000000),
                                   .linger_ns = UINT64_C(5000000000)};
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        if (parse_one(argc, argv, &at, options)) return -1;
        if (options->help) return 0;
    }
    if (options->partition_bytes && !options->pvas)
        return hy_launch_refuse("--partition needs --pvas");
    if (options->cpus_per_rank && options->bind != HY_BIND_SHARE)
        return hy_launch_refuse("--cpus-per-rank and --bind: give one of them");
    if (!options->ranks) return hy_launch_refuse("the number of ranks is missing: give -n N");
    if (at >= argc || !*argv[at]) return hy_launch_refuse("COMMAND is missing");
    if (read_survive(options)) return -1;
    options->command = argv + at;
    return options->blacs ? hy_launch_preload_blacs() : 0;
}
