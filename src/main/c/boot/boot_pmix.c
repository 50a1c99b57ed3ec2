/* SPDX-License-Identifier: Apache-2.0 */
/* PMIx through libpmix, as mpirun and prterun of Open MPI and srun --mpi=pmix offer it. The
 * library is loaded only if such a launcher has started this process. */
#include <dlfcn.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/handlers.h"
#include "base/library.h"
#include "base/line.h"
#include "base/log.h"
#include "base/status.h"
#include "boot/boot_cluster.h"
#include "boot/pmix_abi.h"

#define ANSWER_S 10
#define KEY "hayate." /* followed by the name of the text */

typedef struct pmix {
    hy_pmix_calls calls;
    hy_pmix_proc self;
    int pair[2]; /* the second end is shut down when the launcher is lost */
} pmix;

/* For the event handler, which cannot be given a pointer: an end of the only pair, or -1. */
static _Atomic int lost_end = -1;

static bool pmix_present(void)
{
    return getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK");
}

/* The library is never unloaded: PMIx has threads. */
static int boot_pmix_load(void **library)
{
    *library = hy_library_open(HY_PMIX_LIBRARY);
    if (*library) return HAYATE_OK;
    return hy_fail_over(HAYATE_ERR_UNSUPPORTED,
                        "the launcher uses PMIx, but %s cannot be loaded (%s); install it (Debian: "
                        "libpmix2), or add its directory to HAYATE_LIBRARIES",
                        HY_PMIX_LIBRARY, hayate_error());
}

static int find_calls(void *library, hy_pmix_calls *calls)
{
    const struct {
        const char *name;
        void *to;
    } wanted[] = {{"PMIx_Init", &calls->init},
                  {"PMIx_Finalize", &calls->finalize},
                  {"PMIx_Put", &calls->put},
                  {"PMIx_Commit", &calls->commit},
                  {"PMIx_Fence", &calls->fence},
                  {"PMIx_Abort", &calls->abort},
                  {"PMIx_Get", &calls->get},
                  {"PMIx_Error_string", &calls->error},
                  {"PMIx_Register_event_handler", &calls->on_event}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(library, wanted[i].name);
        if (!found)
            return hy_fail(HAYATE_ERR_UNSUPPORTED, "libpmix has no %s: expected version 2 or newer",
                           wanted[i].name);
        memcpy(wanted[i].to, &found, sizeof found);
    }
    return HAYATE_OK;
}

static int fail_pmix(const pmix *state, int status, const char *what)
{
    const char *name = state->calls.error(status);
    return hy_fail(HAYATE_ERR_LAUNCH, "PMIx: %s failed with status %d (%s)", what, status,
                   name ? name : "unknown");
}

static int boot_pmix_get(const pmix *state, uint32_t rank, const char *key, uint16_t type,
                         hy_pmix_value **value)
{
    hy_pmix_proc whom = state->self;
    /* Some servers never answer a request about a rank that has ended. */
    const hy_pmix_info limit = {.key = HY_PMIX_TIMEOUT,
                                .value = {.type = HY_PMIX_INT, .data = {.number = ANSWER_S}}};
    whom.rank = rank;
    *value = NULL;
    int status = state->calls.get(&whom, key, &limit, 1, value);
    if (status || !*value) return fail_pmix(state, status, key);
    if ((*value)->type == type && (type != HY_PMIX_STRING || (*value)->data.string))
        return HAYATE_OK;
    int got = (*value)->type;
    free(*value); /* memory to which a value of unknown type points is leaked */
    return hy_fail(HAYATE_ERR_LAUNCH, "PMIx: %s is of type %d, expected %d", key, got, type);
}

static void free_string(hy_pmix_value *value)
{
    free(value->data.string);
    free(value);
}

static int read_size(hy_pmi *pmi)
{
    const pmix *state = pmi->state;
    hy_pmix_value *value;
    int rc = boot_pmix_get(state, HY_PMIX_RANK_WILDCARD, HY_PMIX_JOB_SIZE, HY_PMIX_UINT32, &value);
    if (rc) return rc;
    uint32_t size = value->data.uint32;
    free(value);
    if (size < 1 || size > HY_PLACE_RANKS || state->self.rank >= size)
        return hy_fail(HAYATE_ERR_LAUNCH, "PMIx: rank %u of a job of %u", state->self.rank, size);
    pmi->size = (int)size;
    pmi->rank = (int)state->self.rank;
    return HAYATE_OK;
}

static int read_place(hy_pmi *pmi)
{
    hy_pmix_value *value;
    int rc = boot_pmix_get(pmi->state, HY_PMIX_RANK_WILDCARD, HY_PMIX_LOCAL_PEERS, HY_PMIX_STRING,
                           &value);
    if (rc) return rc;
    rc = hy_place_of_peers(value->data.string, pmi->rank, pmi->size, &pmi->place);
    free_string(value);
    return rc;
}

/* Runs in a thread of PMIx. */
static void lose_launcher(size_t id, int status, const hy_pmix_proc *source, void *info,
                          size_t infos, void *results, size_t count, hy_pmix_done *done, void *data)
{
    (void)id, (void)status, (void)source, (void)info, (void)infos, (void)results, (void)count;
    int end = hy_load_acquire(&lost_end);
    if (end >= 0) shutdown(end, SHUT_RDWR);
    if (done) done(0, NULL, 0, NULL, NULL, data);
}

/* PMIx does not expose its connection, but reports when it is lost. A job also runs without this
 * report: then only the end of the launcher goes unnoticed. */
static int watch_launcher(hy_pmi *pmi)
{
    pmix *state = pmi->state;
    int code = HY_PMIX_LOST_CONNECTION;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, state->pair) != 0)
        return hy_fail_errno("socketpair");
    pmi->socket = state->pair[0];
    hy_store_release(&lost_end, state->pair[1]);
    int status = state->calls.on_event(&code, 1, NULL, 0, lose_launcher, NULL, NULL);
    if (status < 0)
        hy_log(HY_LOG_INFO, "PMIx cannot report the end of the launcher: status %d", status);
    return HAYATE_OK;
}

static int boot_pmix_start(pmix *state)
{
    void *library;
    int rc = boot_pmix_load(&library);
    if (!rc) rc = find_calls(library, &state->calls);
    if (rc) return rc;
    hy_handlers_keep();
    int status = state->calls.init(&state->self, NULL, 0);
    hy_handlers_put_back();
    if (!status) return HAYATE_OK;
    fail_pmix(state, status, "PMIx_Init");
    char reason[256];
    snprintf(reason, sizeof reason, "%s", hayate_error());
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "%s; the launcher may have ended, or a rank may have started this process: "
                   "unset PMIX_NAMESPACE and PMIX_RANK to run it alone",
                   reason);
}

static void pmix_abort(hy_pmi *pmi, int code)
{
    const pmix *state = pmi->state;
    state->calls.abort(code, "a rank has called for the end of the job", NULL, 0);
}

static void pmix_close(hy_pmi *pmi)
{
    pmix *state = pmi->state;
    state->calls.finalize(NULL, 0); /* also ends the thread of the handler */
    hy_store_release(&lost_end, -1);
    for (int i = 0; i < 2; i++)
        if (state->pair[i] >= 0) close(state->pair[i]);
    free(state);
    pmi->state = NULL;
}

static int pmix_open(hy_pmi *pmi)
{
    pmix *state = calloc(1, sizeof *state);
    if (!state) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for PMIx");
    state->pair[0] = state->pair[1] = -1;
    int rc = boot_pmix_start(state);
    if (rc) {
        free(state);
        return rc;
    }
    pmi->state = state;
    rc = watch_launcher(pmi);
    if (!rc) rc = read_size(pmi);
    if (!rc) rc = read_place(pmi);
    if (rc) pmix_close(pmi);
    return rc;
}

static int pmix_publish(hy_pmi *pmi, const char *name, const char *text)
{
    const pmix *state = pmi->state;
    char copy[HY_PMI_TEXT], key[48];
    snprintf(copy, sizeof copy, "%s", text);
    snprintf(key, sizeof key, KEY "%s", name);
    hy_pmix_value value = {.type = HY_PMIX_STRING, .data = {.string = copy}};
    int status = state->calls.put(HY_PMIX_GLOBAL, key, &value);
    if (status) return fail_pmix(state, status, "PMIx_Put");
    status = state->calls.commit();
    return status ? fail_pmix(state, status, "PMIx_Commit") : HAYATE_OK;
}

/* Makes the node's server collect all texts. Otherwise, texts of ranks that have ended are no
 * longer available from Open MPI, and Slurm returns the old text of ranks that had published
 * before. A rank still stores only the texts that it asks for. */
static int pmix_fence(hy_pmi *pmi)
{
    const pmix *state = pmi->state;
    const hy_pmix_info collect = {.key = HY_PMIX_COLLECT_DATA,
                                  .value = {.type = HY_PMIX_BOOL, .data = {.truth = true}}};
    hy_pmix_proc all = state->self;
    all.rank = HY_PMIX_RANK_WILDCARD;
    int status = state->calls.fence(&all, 1, &collect, 1);
    return status ? fail_pmix(state, status, "PMIx_Fence") : HAYATE_OK;
}

static int pmix_lookup(hy_pmi *pmi, int rank, const char *name, char text[HY_PMI_TEXT])
{
    hy_pmix_value *value;
    char key[48];
    snprintf(key, sizeof key, KEY "%s", name);
    int rc = boot_pmix_get(pmi->state, (uint32_t)rank, key, HY_PMIX_STRING, &value);
    if (rc) return rc;
    int length = snprintf(text, HY_PMI_TEXT, "%s", value->data.string);
    free_string(value);
    if (length < HY_PMI_TEXT) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH, "PMIx: the text of rank %d has %d characters, at most %d",
                   rank, length, HY_PMI_TEXT - 1);
}

/* The number of a name; a new name gets the next number. -1: no memory. */
static int32_t number_of(struct hsearch_data *known, char **names, int32_t *count, const char *name)
{
    ENTRY *found, wanted = {.key = (char *)(uintptr_t)name};
    if (hsearch_r(wanted, FIND, &found, known)) return (int32_t)(intptr_t)found->data;
    wanted = (ENTRY){.key = names[*count] = strdup(name), .data = (void *)(intptr_t)*count};
    if (!wanted.key || !hsearch_r(wanted, ENTER, &found, known)) return -1;
    return (*count)++;
}

static int map_by_host(hy_pmi *pmi, int32_t *node_of, struct hsearch_data *known, char **names)
{
    int32_t count = 0;
    for (int rank = 0; rank < pmi->size; rank++) {
        hy_pmix_value *value;
        int rc = boot_pmix_get(pmi->state, (uint32_t)rank, HY_PMIX_HOSTNAME, HY_PMIX_STRING,
                               &value);
        if (rc) return rc;
        node_of[rank] = number_of(known, names, &count, value->data.string);
        free_string(value);
        if (node_of[rank] < 0) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for host names");
    }
    return HAYATE_OK;
}

static int map_by_number(hy_pmi *pmi, int32_t *node_of)
{
    for (int rank = 0; rank < pmi->size; rank++) {
        hy_pmix_value *value;
        int rc = boot_pmix_get(pmi->state, (uint32_t)rank, HY_PMIX_NODEID, HY_PMIX_UINT32, &value);
        if (rc) return rc;
        uint32_t node = value->data.uint32;
        free(value);
        if (node >= HY_PLACE_RANKS)
            return hy_fail(HAYATE_ERR_LAUNCH, "PMIx: rank %d is on node %u, which is out of range",
                           rank, node);
        node_of[rank] = (int32_t)node;
    }
    return HAYATE_OK;
}

/* Reads what the launcher's servers know about all ranks from the start: the host name, a node
 * number, or both. */
static int pmix_map(hy_pmi *pmi, int32_t *node_of)
{
    struct hsearch_data known = {.table = NULL};
    char **names = calloc((size_t)pmi->size + 1, sizeof *names);
    if (!names || !hcreate_r((size_t)pmi->size + (size_t)pmi->size / 2, &known)) {
        free(names);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", pmi->size);
    }
    int rc = map_by_host(pmi, node_of, &known, names);
    hdestroy_r(&known);
    for (int i = 0; names[i]; i++) free(names[i]);
    free(names);
    return rc == HAYATE_ERR_LAUNCH ? map_by_number(pmi, node_of) : rc;
}

static int open_cluster(hy_boot *boot)
{
    static const hy_pmi_ops ops = {.once = true,
                                   .open = pmix_open,
                                   .publish = pmix_publish,
                                   .fence = pmix_fence,
                                   .lookup = pmix_lookup,
                                   .map = pmix_map,
                                   .abort = pmix_abort,
                                   .close = pmix_close};
    return hy_cluster_open(boot, &ops);
}

const hy_boot_ops hy_boot_pmix = {.name = "pmix",
                                  .present = pmix_present,
                                  .open = open_cluster,
                                  .check = hy_cluster_check,
                                  .publish = hy_cluster_publish,
                                  .lookup = hy_cluster_lookup,
                                  .abort = hy_cluster_abort,
                                  .close = hy_cluster_close,
                                  .release = hy_cluster_release};
