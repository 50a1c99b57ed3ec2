/* SPDX-License-Identifier: Apache-2.0 */
/* The support routines, for C and Fortran: the process, contexts, system handles, clocks. */
#include <dlfcn.h>
#include <hayate/blacs.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "blacs/blacs.h"
#include "netlib/integers.h"
#include "netlib/report.h"

/* netlib's number for point-to-point messages, plus 1. */
#define MESSAGE_ID 9977

/* ---- the process ---- */

static void begin(const char *name, int *rank, int *size)
{
    const hy_routine routine = {-1, name};
    hy_netlib_check_integers(routine);
    hy_netlib_check(routine, hayate_blacs_open(rank, size));
}

void Cblacs_pinfo(int *rank, int *size)
{
    begin("BLACS_PINFO", rank, size);
}

void Cblacs_setup(int *rank, int *size)
{
    Cblacs_pinfo(rank, size);
}

void Cblacs_exit(int stay)
{
    hy_netlib_check((hy_routine){-1, "BLACS_EXIT"}, hayate_blacs_exit(stay != 0));
}

void Cblacs_abort(int context, int code)
{
    int m, n, row, column;
    hayate_blacs_gridinfo(context, &m, &n, &row, &column);
    fprintf(stderr, "{%d,%d}, pnum=%d, Contxt=%d, killed other procs, exiting with error #%d.\n\n",
            row, column, hayate_rank(), context, code);
    hy_netlib_abort(code);
}

void Cblacs_freebuff(int context, int wait)
{
    (void)context;
    (void)wait;
}

/* ---- contexts ---- */

/* A program may begin with a grid, without blacs_pinfo(). */
static void open_first(const char *name)
{
    int rank, size;
    begin(name, &rank, &size);
}

void Cblacs_gridinit(int *context, const char *order, int m, int n)
{
    open_first("BLACS_GRIDINIT");
    hy_netlib_check((hy_routine){-1, "BLACS_GRIDINIT"},
                    hayate_blacs_gridinit(*context, *order, m, n, context));
}

void Cblacs_gridmap(int *context, const int *map, int ldm, int m, int n)
{
    const hy_routine routine = {-1, "BLACS_GRIDMAP"};
    open_first(routine.name);
    hy_netlib_check_map(routine, map, ldm, m, n);
    hy_netlib_check(routine, hayate_blacs_gridmap(*context, map, ldm, m, n, context));
}

void Cblacs_gridexit(int context)
{
    hy_netlib_check((hy_routine){context, "BLACS_GRIDEXIT"}, hayate_blacs_gridexit(context));
}

void Cblacs_gridinfo(int context, int *m, int *n, int *row, int *column)
{
    hayate_blacs_gridinfo(context, m, n, row, column);
}

int Cblacs_pnum(int context, int row, int column)
{
    int number = -1;
    hy_netlib_check((hy_routine){context, "BLACS_PNUM"},
                    hayate_blacs_pnum(context, row, column, &number));
    return number;
}

void Cblacs_pcoord(int context, int number, int *row, int *column)
{
    hy_netlib_check((hy_routine){context, "BLACS_PCOORD"},
                    hayate_blacs_pcoord(context, number, row, column));
}

static void warn_or_check(hy_routine routine, int result)
{
    if (result == HAYATE_ERR_UNSUPPORTED) hy_netlib_warn(routine, "%s", hayate_error());
    else hy_netlib_check(routine, result);
}

void Cblacs_get(int context, int what, int *value)
{
    if (what < HY_BLACS_CONTEXT_SYSTEM) open_first("BLACS_GET");
    warn_or_check((hy_routine){context, "BLACS_GET"}, hayate_blacs_get(context, what, value));
}

void Cblacs_set(int context, int what, const int *value)
{
    warn_or_check((hy_routine){context, "BLACS_SET"}, hayate_blacs_set(context, what, value));
}

void Cblacs_barrier(int context, const char *scope)
{
    hy_netlib_check((hy_routine){context, "BLACS_BARRIER"},
                    hayate_blacs_barrier((hy_where){context, *scope, ' '}));
}

/* ---- system handles ---- */

/* MPI_COMM_WORLD as MPI's C binding has it: Open MPI's is the address of an object, which exists
 * when libmpi is loaded, MPICH's is a number; as Fortran has it, a number in both. */
#define MPICH_WORLD 0x44000000

static void *world(void)
{
    void *object = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    return object ? object : (void *)(uintptr_t)MPICH_WORLD;
}

int Csys2blacs_handle(void *communicator)
{
    if (communicator != world() && (uint32_t)(uintptr_t)communicator != MPICH_WORLD)
        hy_netlib_refuse((hy_routine){-1, "SYS2BLACS_HANDLE"},
                         "Only MPI_COMM_WORLD has a BLACS system handle: MPI is not used here");
    return 0;
}

void *Cblacs2sys_handle(int system)
{
    if (system != 0)
        hy_netlib_refuse(
            (hy_routine){-1, "BLACS2SYS_HANDLE"}, "%s",
            hayate_blacs_has_system(system)
                ? "Only system handle 0 has a communicator of MPI: MPI is not used here"
                : "No system context corresponding to BLACS system context handle");
    return world();
}

void Cfree_blacs_system_handle(int system)
{
    if (!hayate_blacs_has_system(system))
        hy_netlib_warn((hy_routine){-1, "FREE_BLACS_SYSTEM_HANDLE"},
                       "Trying to free non-existent system context handle %d", system);
}

/* ---- clocks and message numbers ---- */

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double Cdwalltime00(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double Cdcputime00(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

int Cksendid(int context, int row, int column)
{
    (void)context;
    (void)row;
    (void)column;
    return MESSAGE_ID;
}

int Ckrecvid(int context, int row, int column)
{
    return Cksendid(context, row, column);
}

static int message_id(int context, const char *scope, const char *name)
{
    int id = -1;
    hy_netlib_check((hy_routine){context, name},
                    hayate_blacs_message_id((hy_where){context, *scope, ' '}, &id));
    return id;
}

int Ckbsid(int context, const char *scope)
{
    return message_id(context, scope, "KBSID");
}

int Ckbrid(int context, const char *scope)
{
    return message_id(context, scope, "KBRID");
}

/* ---- Fortran ---- */

HAYATE_API void blacs_pinfo_(int *rank, int *size)
{
    Cblacs_pinfo(rank, size);
}

HAYATE_API void blacs_setup_(int *rank, int *size)
{
    Cblacs_setup(rank, size);
}

HAYATE_API void blacs_exit_(const int *stay)
{
    Cblacs_exit(*stay);
}

HAYATE_API void blacs_abort_(const int *context, const int *code)
{
    Cblacs_abort(*context, *code);
}

HAYATE_API void blacs_freebuff_(const int *context, const int *wait)
{
    Cblacs_freebuff(*context, *wait);
}

/* Fortran's communicators are their own handles with netlib. MPI_COMM_WORLD is 0 with Open MPI. */
HAYATE_API int sys2blacs_handle_(const int *communicator)
{
    return *communicator == MPICH_WORLD ? 0 : *communicator;
}

HAYATE_API void blacs_gridinit_(int *context, const char *order, const int *m, const int *n)
{
    *context = sys2blacs_handle_(context);
    Cblacs_gridinit(context, order, *m, *n);
}

HAYATE_API void blacs_gridmap_(int *context, const int *map, const int *ldm, const int *m,
                               const int *n)
{
    *context = sys2blacs_handle_(context);
    Cblacs_gridmap(context, map, *ldm, *m, *n);
}

HAYATE_API void blacs_gridexit_(const int *context)
{
    Cblacs_gridexit(*context);
}

HAYATE_API void blacs_gridinfo_(const int *context, int *m, int *n, int *row, int *column)
{
    Cblacs_gridinfo(*context, m, n, row, column);
}

HAYATE_API int blacs_pnum_(const int *context, const int *row, const int *column)
{
    return Cblacs_pnum(*context, *row, *column);
}

HAYATE_API void blacs_pcoord_(const int *context, const int *number, int *row, int *column)
{
    Cblacs_pcoord(*context, *number, row, column);
}

HAYATE_API void blacs_get_(const int *context, const int *what, int *value)
{
    Cblacs_get(*context, *what, value);
}

HAYATE_API void blacs_set_(const int *context, const int *what, const int *value)
{
    Cblacs_set(*context, *what, value);
}

HAYATE_API void blacs_barrier_(const int *context, const char *scope)
{
    Cblacs_barrier(*context, scope);
}

HAYATE_API int blacs2sys_handle_(const int *system)
{
    return *system;
}

HAYATE_API void free_blacs_system_handle_(const int *system)
{
    (void)system;
}

HAYATE_API double dwalltime00_(void)
{
    return Cdwalltime00();
}

HAYATE_API double dcputime00_(void)
{
    return Cdcputime00();
}

HAYATE_API int ksendid_(const int *context, const int *row, const int *column)
{
    return Cksendid(*context, *row, *column);
}

HAYATE_API int krecvid_(const int *context, const int *row, const int *column)
{
    return Ckrecvid(*context, *row, *column);
}

HAYATE_API int kbsid_(const int *context, const char *scope)
{
    return Ckbsid(*context, scope);
}

HAYATE_API int kbrid_(const int *context, const char *scope)
{
    return Ckbrid(*context, scope);
}
