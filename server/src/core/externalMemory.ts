import { setFlagsFromString } from 'node:v8'

/**
 * Buffers lie outside of the engine's heap. By default it looks through all of the heap whenever 64 MB of them were
 * made, which uploads and downloads do several times a second; so they count as part of the heap, whose limit grows
 * with what is alive, and most of them are gone with the young generation.
 */
export function countExternalMemory(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}
