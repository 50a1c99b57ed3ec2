/* SPDX-License-Identifier: Apache-2.0 */
/* Whether tasks can be had here. */
#ifndef HY_PVAS_MACHINE_H
#define HY_PVAS_MACHINE_H

/* UNSUPPORTED, with the reason. */
int hy_pvas_supported(void);

#endif
