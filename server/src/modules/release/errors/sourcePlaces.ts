import { SourceMap, type SourceMapPayload } from 'node:module'
import type { ErrorFrame, SourcePlace } from '@dmp/contract/releaseErrors'
import { readMap } from '@dmp/release/maps'
import type { ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { BoundedMap } from '../../../core/BoundedMap.ts'

/** A place in the sources, and whether a map told it. */
export interface Place extends SourcePlace {
  readonly isMapped: boolean
}

export type FindPlaces = (part: string, releaseId: string, frames: readonly ErrorFrame[]) => Promise<readonly Place[]>

/** Positions of a large script take tens of megabytes while its map is read. */
const mapsInMemory = 2
const placesInMemory = 5000

/** Names the sources of frames by the private maps of their release; places that were found once are remembered. */
export function createSourcePlaces(store: ReleaseStore): FindPlaces {
  const maps = new BoundedMap<string, Promise<SourceMap | undefined>>(mapsInMemory)
  const places = new BoundedMap<string, Place>(placesInMemory)

  const findMap = (part: string, releaseId: string, file: string): Promise<SourceMap | undefined> => {
    const key = `${part}/${releaseId}/${file}`
    const map = maps.get(key) ?? openMap(store, part, releaseId, file)
    maps.set(key, map)
    map.catch(() => maps.delete(key))
    return map
  }

  return async (part, releaseId, frames) => {
    const found: Place[] = []
    for (const frame of frames) {
      const key = `${part}/${releaseId}/${frame.file}:${frame.line}:${frame.column}`
      const place = places.get(key) ?? toPlace(await findMap(part, releaseId, frame.file), frame)
      places.set(key, place)
      found.push(place)
    }
    return found
  }
}

async function openMap(
  store: ReleaseStore,
  part: string,
  releaseId: string,
  file: string,
): Promise<SourceMap | undefined> {
  const map = await readMap(store, { name: part, releaseId }, file)
  // Of what the type asks for, only this is read.
  return map && new SourceMap({ ...map, file, sourcesContent: [], sourceRoot: '' } as unknown as SourceMapPayload)
}

function toPlace(map: SourceMap | undefined, { file, line, column }: ErrorFrame): Place {
  const entry = map?.findEntry(line - 1, column - 1)
  if (entry === undefined || !('originalSource' in entry) || !entry.originalSource)
    return { file, line, column, name: null, isMapped: false }
  const { originalSource, originalLine, originalColumn, name } = entry as typeof entry & { name?: string }
  return {
    file: originalSource.slice(0, longestName),
    line: originalLine + 1,
    column: originalColumn + 1,
    name: name?.slice(0, longestName) ?? null,
    isMapped: true,
  }
}

/** A map is made by whoever shipped the part: what it says is bounded like everything that comes in. */
const longestName = 200
