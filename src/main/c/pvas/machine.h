/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this machine supports tasks. */
#ifndef HY_PVAS_MACHINE_H
#define HY_PVAS_MACHINE_H

/* UNSUPPORTED, with the reason. */
int hy_pvas_supported(void);

#endif
