/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What claims and figures of "ikra" share. */
#ifndef PAPER_REPRO_IKRA_H
#define PAPER_REPRO_IKRA_H

/* Its applications, in the order of its figures. */
#define IKRA_REGULAR                                                           \
    "ikra-hotspot ikra-kmeans ikra-lud ikra-nw ikra-pathfinder "               \
    "ikra-srad-v1 ikra-srad-v2 ikra-stencil"
#define IKRA_IRREGULAR                                                         \
    "ikra-dijkstra-1 ikra-dijkstra-2 ikra-coloring-1 ikra-coloring-2 "         \
    "ikra-mis-1 ikra-mis-2 ikra-pagerank-1 ikra-pagerank-2"
#define IKRA_ONCE                                                              \
    "ikra-backprop ikra-convolution ikra-lavamd ikra-nn ikra-sgemm"
#define IKRA_MICRO                                                             \
    "ikra-gpu-small ikra-gpu-medium ikra-gpu-large ikra-work-stealing"
#define IKRA_SIZED "ikra-lud ikra-srad-v1 ikra-srad-v2 ikra-dijkstra-2"

/* GPU keys of the L1 sizes of Fig. 7, 16 to 512 KB. */
#define IKRA_L1_SIZES 6
#define IKRA_L1_USUAL 3 /* 128 KB */
extern const char *const ikra_l1_keys[IKRA_L1_SIZES];

#endif
