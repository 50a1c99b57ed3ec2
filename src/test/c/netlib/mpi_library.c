/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What netlib's BLACS tester calls of MPI, besides the BLACS that it tests, over FMPL: nine Fortran
 * routines of Open MPI's binding. Preloaded, so that Debian's programs are tested as they are. It
 * counts on these programs only: blocking messages with one tag, from named sources.
 */
#include <hayate/fmpl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void check(const char *what, int code)
{
    if (code == HAYATE_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, hayate_strerror(code), hayate_error());
    _exit(3);
}

/* Open MPI's numbers of Fortran's types. */
static int bytes_of(int type)
{
    switch (type) {
    case 1: return 1;   /* MPI_BYTE */
    case 7: return 4;   /* MPI_INTEGER */
    case 13: return 4;  /* MPI_REAL */
    case 17: return 8;  /* MPI_DOUBLE_PRECISION */
    case 18: return 8;  /* MPI_COMPLEX */
    case 22: return 16; /* MPI_DOUBLE_COMPLEX */
    default: fprintf(stderr, "the tester uses type %d of MPI\n", type); _exit(3);
    }
}

EXPORT void mpi_initialized_(int *yes, int *error)
{
    *yes = hayate_rank() >= 0;
    *error = 0;
}

EXPORT void mpi_init_(int *error)
{
    check("mpi_init", hayate_init());
    *error = 0;
}

EXPORT void mpi_comm_dup_(const int *from, int *to, int *error)
{
    int code = HAYATE_OK;
    fmpl_init(NULL, NULL, 1, &code);
    check("mpi_comm_dup", code);
    *to = *from;
    *error = 0;
}

EXPORT void mpi_comm_rank_(const int *comm, int *rank, int *error)
{
    (void)comm;
    *rank = hayate_rank();
    *error = 0;
}

EXPORT void mpi_comm_size_(const int *comm, int *size, int *error)
{
    (void)comm;
    *size = hayate_size();
    *error = 0;
}

EXPORT void mpi_type_size_(const int *type, int *size, int *error)
{
    *size = bytes_of(*type);
    *error = 0;
}

EXPORT void mpi_send_(const void *buffer, const int *count, const int *type, const int *to,
                      const int *tag, const int *comm, int *error)
{
    (void)tag, (void)comm;
    int code = HAYATE_OK;
    fmpl_send(buffer, (size_t)*count * (size_t)bytes_of(*type), *to, 0, &code);
    check("mpi_send", code);
    *error = 0;
}

EXPORT void mpi_recv_(void *buffer, const int *count, const int *type, const int *from,
                      const int *tag, const int *comm, int *status, int *error)
{
    (void)tag, (void)comm, (void)status;
    int code = HAYATE_OK;
    fmpl_recv(buffer, (size_t)*count * (size_t)bytes_of(*type), *from, 0, &code);
    check("mpi_recv", code);
    *error = 0;
}

EXPORT void mpi_abort_(const int *comm, const int *code, int *error)
{
    (void)comm, (void)error;
    fprintf(stderr, "mpi_abort %d\n", *code);
    _exit(*code);
}
