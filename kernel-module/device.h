/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/hayate: opening, closing, and the dispatch of commands. */
#ifndef HY_DEVICE_H
#define HY_DEVICE_H

int hy_device_start(void);
void hy_device_stop(void);

#endif
