/* SPDX-License-Identifier: Apache-2.0 */
/* What `hayate tune` measures, for JNA. A measurement is represented by its address; results below
 * 0 are error codes. */
#include "fmpl/fmpl.h"
#include "measure/measure.h"

/* The number of CPUs that all ranks of the job share. */
HAYATE_API int hayate_binding_measure_cpus(const hy_fmpl *fmpl)
{
    return fmpl->comms->model.cpus;
}

/* The address of the model that the job uses. */
HAYATE_API int64_t hayate_binding_measure_model(const hy_fmpl *fmpl)
{
    return (int64_t)(intptr_t)&fmpl->comms->model;
}

/* 0 on ranks that do not take part. */
HAYATE_API int64_t hayate_binding_measure_open(hy_fmpl *fmpl)
{
    hy_measure *measure = NULL;
    int comm, rc = hy_measure_pair(fmpl->comms, &comm);
    if (!rc && comm != FMPL_COMM_NULL) rc = hy_measure_open(fmpl->comms, comm, &measure);
    return rc ? rc : (int64_t)(intptr_t)measure;
}

HAYATE_API void hayate_binding_measure_close(hy_measure *measure)
{
    hy_measure_close(measure);
}

/* result[0..2]: the value, and the round trips before and after it; NaN: there is none. */
HAYATE_API int hayate_binding_measure_step(hy_measure *measure, int term, double seconds,
                                           double *result)
{
    hy_measured measured;
    int rc = hy_measure_step(measure, term, seconds, &measured);
    result[0] = measured.ns;
    result[1] = measured.before;
    result[2] = measured.after;
    return rc;
}
