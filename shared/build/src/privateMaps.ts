/** The folder of a build in which its maps lie; they are stored beside the release, and no browser gets them. */
export const mapsFolder = 'private-maps'

/**
 * Bytes of one map; a longer one is left out, because the server reads it while others wait. Those of this product have
 * one megabyte at most.
 */
export const longestMap = 3_000_000
