import { tag, type JsonDataset } from '@dmp/dicom'
import { number, numbers, text } from '../dicomweb/dataset.ts'

export type Vector = [number, number, number]

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

// Slices of one stack may differ by this much in their direction cosines and still count as parallel.
const parallelWithin = 1e-3
const apartByMm = 1e-3

/** At right angles to the plane of an instance; undefined where it does not say how it lies. */
export function normalOf(instance: JsonDataset): Vector | undefined {
  const orientation = numbers(instance, tag.ImageOrientationPatient)
  return orientation.length === 6 ? cross(orientation.slice(0, 3) as Vector, orientation.slice(3) as Vector) : undefined
}

/** The position of each instance along the normal of their plane; undefined without position or orientation. */
export function depths(instances: readonly JsonDataset[]): number[] | undefined {
  const first = numbers(instances[0] ?? {}, tag.ImageOrientationPatient)
  const normal = normalOf(instances[0] ?? {})
  if (normal === undefined) return undefined
  const positions: number[] = []
  for (const instance of instances) {
    const orientation = numbers(instance, tag.ImageOrientationPatient)
    const position = numbers(instance, tag.ImagePositionPatient)
    const isParallel =
      orientation.length === 6 && orientation.every((value, at) => Math.abs(value - first[at]!) < parallelWithin)
    if (!isParallel || position.length !== 3) return undefined
    positions.push(dot(normal, position as Vector))
  }
  const sorted = [...positions].sort((a, b) => a - b)
  // Two pictures of the same place are phases or echoes: only their numbers can order them.
  return sorted.some((depth, at) => at > 0 && depth - sorted[at - 1]! < apartByMm) ? undefined : positions
}

const byNumber = (a: JsonDataset, b: JsonDataset): number =>
  (number(a, tag.InstanceNumber) ?? Infinity) - (number(b, tag.InstanceNumber) ?? Infinity) ||
  (text(a, tag.SOPInstanceUID) ?? '').localeCompare(text(b, tag.SOPInstanceUID) ?? '', undefined, { numeric: true })

/**
 * Order of the stack: by place in the body where that is known, in the direction of the instance numbers; else by
 * number.
 */
export function inStackOrder(instances: readonly JsonDataset[]): JsonDataset[] {
  const numbered = [...instances].sort(byNumber)
  const places = depths(numbered)
  if (places === undefined) return numbered
  const order = numbered.map((_, at) => at).sort((a, b) => places[a]! - places[b]!)
  const runsBackwards = order[0]! > order.at(-1)!
  return (runsBackwards ? order.reverse() : order).map((at) => numbered[at]!)
}
