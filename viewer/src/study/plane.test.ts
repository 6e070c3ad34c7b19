import { tag, type JsonDataset } from '@dmp/dicom'
import { isAtDetector, withPlane } from './plane.ts'

const detector = { [tag.ImagerPixelSpacing]: { Value: ['0.2', '0.1'] } }
const pixels = (...Value: unknown[]) => ({ [tag.PixelSpacing]: { Value } })

it.each<[string, JsonDataset, boolean]>([
  ['the detector alone', detector, true],
  ['pixels that repeat the detector', { ...detector, ...pixels(0.2, 0.1) }, true],
  ['pixels that were corrected for the distance', { ...detector, ...pixels(0.18, 0.09) }, false],
  ['pixels alone', pixels(0.2, 0.1), false],
  ['nothing', {}, false],
  ['a detector of no size', { [tag.ImagerPixelSpacing]: { Value: [0, 0] } }, false],
])('by a size of %s a length is known %s at the detector alone [7.42]', (_what, header, is) => {
  expect(isAtDetector(header)).toBe(is)
})

it('a picture in no plane is measured by the size of its pixels, else by that on the detector [7.42]', () => {
  const spacing = (header: JsonDataset) => withPlane(header)[tag.PixelSpacing]?.Value
  expect(spacing(detector)).toEqual([0.2, 0.1])
  expect(spacing({ ...detector, ...pixels('0.18', '0.09') })).toEqual([0.18, 0.09])
  expect(withPlane(detector)[tag.ImageOrientationPatient]?.Value).toEqual([1, 0, 0, 0, 1, 0])
})

it.each<[string, JsonDataset]>([
  ['says no size', {}],
  ['lies in a plane', { ...pixels(1, 1), [tag.ImageOrientationPatient]: { Value: [0, 1, 0, 0, 0, -1] } }],
  ['has groups of frames', { ...detector, [tag.SharedFunctionalGroupsSequence]: { Value: [{}] } }],
  ['is of nuclear medicine', { ...pixels(4, 4), [tag.Modality]: { Value: ['NM'] } }],
])('a picture that %s stays as it is [7.42]', (_what, header) => {
  expect(withPlane(header)).toBe(header)
})
