import { tag } from '@dmp/dicom'
import { placesOf, sliceAt, wayOf, type Places } from './places.ts'
import type { Series } from './series.ts'

/** Slices that lie so many millimetres from each other along the normal of their plane. */
function stack(
  orientation: readonly number[],
  depths: readonly number[],
  along: readonly number[],
): Places | undefined {
  const slices = depths.map((depth) => ({
    header: {
      [tag.ImageOrientationPatient]: { Value: [...orientation] },
      [tag.ImagePositionPatient]: { Value: along.map((part) => part * depth) },
    },
  }))
  return placesOf({ slices } as unknown as Series)
}
/** An axial plane, tilted by so many degrees. */
const tilted = (degrees: number, way: 1 | -1 = 1): Places => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return stack([1, 0, 0, 0, way * cos, way * sin], [0, 2], [0, -sin, cos])!
}

it.each([
  ['lies as it does', tilted(0), 1],
  ['is tilted by 9°', tilted(9), 1],
  ['is tilted by 11°', tilted(11), undefined],
  ['runs against it', tilted(0, -1), -1],
  ['runs against it and is tilted by 9°', tilted(9, -1), -1],
  ['runs against it and is tilted by 11°', tilted(11, -1), undefined],
  ['lies across', stack([0, 1, 0, 0, 0, -1], [0, 2], [1, 0, 0])!, undefined],
] as const)('a stack that %s goes along with another so, or not at all [P79]', (_what, other, way) => {
  expect([wayOf(tilted(0), other), wayOf(other, tilted(0))]).toEqual([way, way])
})

it('the slice nearest to a depth is gone to, the first of two that are as near [P79]', () => {
  const places = stack([1, 0, 0, 0, 1, 0], [0, 2, 4, 8], [0, 0, 1])!
  expect([-9, 0, 0.9, 1, 1.1, 5.9, 6.1, 99].map((depth) => sliceAt(places, depth))).toEqual([0, 0, 0, 0, 1, 2, 3, 3])
})

it('a picture alone, pictures of one place and pictures that do not say where they lie have no places [P79]', () => {
  expect(stack([1, 0, 0, 0, 1, 0], [3], [0, 0, 1])).toBeUndefined()
  expect(stack([1, 0, 0, 0, 1, 0], [3, 3], [0, 0, 1])).toBeUndefined()
  expect(stack([], [1, 2], [0, 0, 1])).toBeUndefined()
  expect(stack([1, 0, 0, 0, 1, 0], [1, 2], [])).toBeUndefined()
})
