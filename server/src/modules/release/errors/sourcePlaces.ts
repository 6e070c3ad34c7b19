import { SourceMap, type SourceMapPayload } from 'node:module'
import type { ErrorFrame, SourcePlace } from '@dmp/contract/releaseErrors'
import { readMap, type PrivateMap } from '@dmp/release/maps'
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
  const maps = new BoundedMap<string, Promise<OpenMap | undefined>>(mapsInMemory)
  const places = new BoundedMap<string, Place>(placesInMemory)

  const findMap = (part: string, releaseId: string, file: string): Promise<OpenMap | undefined> => {
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
): Promise<OpenMap | undefined> {
  const map = await readMap(store, { name: part, releaseId }, file)
  // Of what the type asks for, only this is read.
  if (map === undefined) return undefined
  const payload = { ...map, file, sourcesContent: [], sourceRoot: '' } as unknown as SourceMapPayload
  const functions = map.functions && new Map(map.sources.map((source, index) => [source, map.functions![index] ?? []]))
  return { positions: new SourceMap(payload), functions }
}

interface OpenMap {
  readonly positions: SourceMap
  /** By source; undefined where the build did not say them. */
  readonly functions: ReadonlyMap<string | null, NonNullable<PrivateMap['functions']>[number]> | undefined
}

function toPlace(map: OpenMap | undefined, { file, line, column }: ErrorFrame): Place {
  const entry = map?.positions.findEntry(line - 1, column - 1)
  if (entry === undefined || !('originalSource' in entry) || !entry.originalSource)
    return { file, line, column, name: null, isMapped: false }
  const { originalSource, originalLine, originalColumn, name } = entry as typeof entry & { name?: string }
  const functions = map?.functions?.get(originalSource)
  const around = functions?.findLast((one) => isWithin(one, originalLine + 1, originalColumn))?.[4]
  return {
    file: originalSource.slice(0, longestName),
    line: originalLine + 1,
    column: originalColumn + 1,
    name: (map?.functions ? around : name)?.slice(0, longestName) ?? null,
    isMapped: true,
  }
}

/** Inner functions begin after outer ones, so the last one that has a place is the nearest. */
const isWithin = (
  [line, column, endLine, endColumn]: readonly [number, number, number, number, string],
  atLine: number,
  atColumn: number,
): boolean =>
  (atLine > line || (atLine === line && atColumn >= column)) &&
  (atLine < endLine || (atLine === endLine && atColumn < endColumn))

/** A map is made by whoever shipped the part: what it says is bounded like everything that comes in. */
const longestName = 200
