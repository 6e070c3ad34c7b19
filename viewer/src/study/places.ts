import { tag, type JsonDataset } from '@dmp/dicom'
import { text } from '../dicomweb/dataset.ts'
import { depths, normalOf, type Vector } from './order.ts'
import type { Series } from './series.ts'

/** Where the slices of a stack lie in the patient. */
export interface Places {
  /** Of their plane, of length 1. */
  readonly normal: Vector
  /** Of each slice along the normal, in mm. */
  readonly depths: readonly number[]
  /** Places of one frame of reference can be compared as they are. */
  readonly frameOfReference: string | undefined
}

const known = new WeakMap<Series, Places | undefined>()

/** Undefined where slices are not parallel, share a place, or do not say where they lie. */
export function placesOf(series: Series): Places | undefined {
  if (!known.has(series)) known.set(series, readPlaces(series.slices.map(({ header }) => header)))
  return known.get(series)
}

function readPlaces(headers: readonly JsonDataset[]): Places | undefined {
  const [first = {}] = headers
  const [places, normal] = [depths(headers), normalOf(first)]
  if (headers.length < 2 || places === undefined || normal === undefined) return undefined
  return { normal, depths: places, frameOfReference: text(first, tag.FrameOfReferenceUID) }
}

// Planes tilted by less than ~10° are compared as if they were parallel.
const sameOrientation = 0.985

/** 1 where the second stack runs as the first does, -1 where it runs against it, undefined in another orientation. */
export function wayOf(one: Places, other: Places): 1 | -1 | undefined {
  const along = one.normal.reduce((sum, part, at) => sum + part * (other.normal[at] ?? 0), 0)
  if (Math.abs(along) < sameOrientation) return undefined
  return along > 0 ? 1 : -1
}

/** The slice that lies nearest to a depth. */
export function sliceAt({ depths: places }: Places, depth: number): number {
  return places.reduce((best, place, at) => (Math.abs(place - depth) < Math.abs(places[best]! - depth) ? at : best), 0)
}
