import { tag } from '@dmp/dicom'
import { findHeldFacts, findHoldReason } from './burnedIn.ts'
import type { JsonDataset } from './jsonModel.ts'

const native = '1.2.840.10008.1.2.1'
const video = '1.2.840.10008.1.2.4.102'
const CT = '1.2.840.10008.5.1.4.1.1.2'
const header = (changes: Record<string, string | number | string[]>): JsonDataset =>
  Object.fromEntries(
    Object.entries({ [tag.Rows]: 4, [tag.Columns]: 5, [tag.SOPClassUID]: CT, [tag.Modality]: 'CT', ...changes }).map(
      ([key, value]) => [key, { vr: 'CS', Value: [value].flat() }],
    ),
  )
const reasonOf = (changes: Record<string, string | number | string[]>, syntax = native) =>
  findHoldReason(header(changes), syntax)

describe('pictures that are held back until somebody has looked [P36]', () => {
  it.each([
    ['says so', { [tag.BurnedInAnnotation]: 'YES' }, 'Stated'],
    ['is ultrasound and says nothing', { [tag.Modality]: 'US' }, 'KindOfImage'],
    ['is angiography', { [tag.Modality]: 'XA' }, 'KindOfImage'],
    ['is endoscopy', { [tag.Modality]: 'ES' }, 'KindOfImage'],
    ['is a secondary capture', { [tag.SOPClassUID]: '1.2.840.10008.5.1.4.1.1.7' }, 'KindOfImage'],
    ['is a secondary capture in colour', { [tag.SOPClassUID]: '1.2.840.10008.5.1.4.1.1.7.4' }, 'KindOfImage'],
    ['is a photograph', { [tag.SOPClassUID]: '1.2.840.10008.5.1.4.1.1.77.1.4' }, 'KindOfImage'],
    ['is a screenshot', { [tag.ImageType]: ['DERIVED', 'SECONDARY', 'SCREEN SAVE'] }, 'Screenshot'],
    ['is a protocol page', { [tag.ImageType]: ['DERIVED', 'SECONDARY', 'OTHER', 'CT_SOM5 PROT'] }, 'Screenshot'],
    ['is a scanned document', { [tag.ConversionType]: 'SD', [tag.BurnedInAnnotation]: 'NO' }, 'Screenshot'],
    ['is a CT in colour', { [tag.SamplesPerPixel]: 3 }, 'Colour'],
    ['is an MR with a palette', { [tag.Modality]: 'MR', [tag.PhotometricInterpretation]: 'PALETTE COLOR' }, 'Colour'],
  ])('one that %s', (_what, changes, reason) => {
    expect(reasonOf(changes as Record<string, string | number | string[]>)).toBe(reason)
  })

  it('a screenshot even where it says that it holds no text, as programs write that unseen', () => {
    const screenshot = { [tag.ImageType]: ['DERIVED', 'SECONDARY', 'SCREEN SAVE'], [tag.BurnedInAnnotation]: 'NO' }
    expect(reasonOf(screenshot)).toBe('Screenshot')
  })

  it.each([
    ['a slice of CT', {}],
    ['a proton density image', { [tag.Modality]: 'MR', [tag.ImageType]: ['ORIGINAL', 'PRIMARY', 'PROTON_DENSITY'] }],
    ['an ultrasound image that says NO', { [tag.Modality]: 'US', [tag.BurnedInAnnotation]: 'NO' }],
    ['an object without a picture', { [tag.Modality]: 'US', [tag.Rows]: 0 }],
  ])('but not %s', (_what, changes) => {
    expect(reasonOf(changes as Record<string, string | number | string[]>)).toBeUndefined()
  })

  it('every video, of which no part can be hidden', () => {
    expect(reasonOf({ [tag.BurnedInAnnotation]: 'NO' }, video)).toBe('Video')
    expect(findHeldFacts(header({}), video)).toMatchObject({ reason: 'Video', canMask: false, rows: 4, columns: 5 })
    expect(findHeldFacts(header({ [tag.Modality]: 'US' }), native)).toMatchObject({ canMask: true, frames: 1 })
  })
})
