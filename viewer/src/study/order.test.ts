import { tag, type JsonDataset } from '@dmp/dicom'
import { inStackOrder } from './order.ts'

const axial = [1, 0, 0, 0, 1, 0]
function slice(
  uid: string,
  instanceNumber: number | undefined,
  z?: number,
  orientation: number[] = axial,
): JsonDataset {
  return {
    [tag.SOPInstanceUID]: { Value: [uid] },
    ...(instanceNumber === undefined ? {} : { [tag.InstanceNumber]: { Value: [instanceNumber] } }),
    ...(z === undefined
      ? {}
      : { [tag.ImagePositionPatient]: { Value: [0, 0, z] }, [tag.ImageOrientationPatient]: { Value: orientation } }),
  }
}
const uids = (instances: JsonDataset[]) => instances.map((instance) => instance[tag.SOPInstanceUID]!.Value![0])

describe('the order of a stack', () => {
  it('follows the place in the body when numbers are out of order [7.42]', () => {
    expect(uids(inStackOrder([slice('c', 1, 30), slice('a', 2, 10), slice('b', 3, 20)]))).toEqual(['c', 'b', 'a'])
  })

  it('runs in the direction of the instance numbers [7.42]', () => {
    expect(uids(inStackOrder([slice('a', 1, 30), slice('b', 2, 20), slice('c', 3, 10)]))).toEqual(['a', 'b', 'c'])
    expect(uids(inStackOrder([slice('a', 3, 30), slice('b', 2, 20), slice('c', 1, 10)]))).toEqual(['c', 'b', 'a'])
  })

  it('follows the place along the normal of sagittal, coronal and oblique planes too [7.42]', () => {
    const at = (uid: string, instanceNumber: number, position: number[], orientation: number[]): JsonDataset => ({
      ...slice(uid, instanceNumber, 0, orientation),
      [tag.ImagePositionPatient]: { Value: position },
    })
    const half = Math.SQRT1_2
    for (const [orientation, along] of [
      [
        [0, 1, 0, 0, 0, -1],
        [1, 0, 0],
      ],
      [
        [1, 0, 0, 0, 0, -1],
        [0, 1, 0],
      ],
      [
        [0.6, 0.8, 0, 0, 0, -1],
        [-0.8, 0.6, 0],
      ],
      [
        [0.6, 0, 0.8, 0, 1, 0],
        [-0.8, 0, 0.6],
      ],
      [
        [1, 0, 0, 0, 0.6, 0.8],
        [0, -0.8, 0.6],
      ],
      [
        [0, half, half, 0, half, -half],
        [1, 0, 0],
      ],
      [
        [half, 0, half, half, 0, -half],
        [0, 1, 0],
      ],
      [
        [half, half, 0, half, -half, 0],
        [0, 0, 1],
      ],
      [
        [half, -half, 0, 0, 0, 1],
        [half, half, 0],
      ],
      [
        [1, 0, 0, 0, half, -half],
        [0, half, half],
      ],
    ] as const) {
      const placed = (uid: string, instanceNumber: number, mm: number) =>
        at(
          uid,
          instanceNumber,
          along.map((part, axis) => mm * part + [400, -300, 200][axis]!),
          [...orientation],
        )
      // Numbers that were given out of order, as some machines do.
      expect(
        uids(inStackOrder([placed('a', 1, 0), placed('c', 2, 20), placed('b', 3, 10), placed('d', 4, 30)])),
      ).toEqual(['a', 'b', 'c', 'd'])
    }
  })

  it('takes slices a tenth of a millimetre apart as places of their own [7.42]', () => {
    expect(uids(inStackOrder([slice('a', 1, 0), slice('c', 2, 0.2), slice('b', 3, 0.1)]))).toEqual(['a', 'b', 'c'])
  })

  it('needs a thousandth of a millimetre between two places, and planes that are parallel as closely [7.42]', () => {
    const between = (mm: number) => uids(inStackOrder([slice('a', 1, 0), slice('c', 2, 5), slice('b', 3, mm)]))
    expect([between(0.001), between(0.0009)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c', 'b'],
    ])
    const tilted = (by: number) =>
      uids(inStackOrder([slice('a', 1, 0), slice('c', 2, 5, [1, 0, by, 0, 1, 0]), slice('b', 3, 2)]))
    expect([tilted(0.0009), tilted(0.001)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c', 'b'],
    ])
  })

  it('follows the numbers where one picture does not say how it lies, or where [7.42]', () => {
    const lost = (key: string) =>
      uids(inStackOrder([slice('a', 1, 0), slice('c', 2, 5), { ...slice('b', 3, 2), [key]: { Value: [] } }]))
    expect([lost(tag.ImageOrientationPatient), lost(tag.ImagePositionPatient)]).toEqual([
      ['a', 'c', 'b'],
      ['a', 'c', 'b'],
    ])
  })

  it('is no matter for one picture, or none [7.42]', () => {
    expect(uids(inStackOrder([slice('a', 1, 10)]))).toEqual(['a'])
    expect(inStackOrder([])).toEqual([])
  })

  it('follows the numbers where places repeat, planes differ or are unknown [7.42]', () => {
    expect(uids(inStackOrder([slice('b', 2, 10), slice('a', 1, 10), slice('c', 3, 20)]))).toEqual(['a', 'b', 'c'])
    expect(uids(inStackOrder([slice('b', 2, 10), slice('a', 1, 20, [0, 1, 0, 0, 0, 1])]))).toEqual(['a', 'b'])
    expect(uids(inStackOrder([slice('b', 2), slice('a', 1)]))).toEqual(['a', 'b'])
  })

  it('stays the same from load to load without any number [7.42]', () => {
    expect(uids(inStackOrder([slice('1.10', undefined), slice('1.9', undefined)]))).toEqual(['1.9', '1.10'])
  })
})
