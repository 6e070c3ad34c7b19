import { prior } from '../testing/priors.ts'
import { findComparable, findMatch, mayBeSomebodyElse, personsOf, relationOf } from './priors.ts'
import type { SeriesEntry } from './series.ts'
import type { Subject } from './subject.ts'

const entry = (uid: string, more: Partial<SeriesEntry> = {}): SeriesEntry => ({
  studyUid: '1',
  uid,
  modality: 'CT',
  description: '',
  number: 1,
  instanceCount: 1,
  bodyPart: 'CHEST',
  laterality: '',
  ...more,
})
const subject = (more: Partial<Subject> = {}): Subject => ({
  patientName: 'DOE, JANE',
  patientId: 'P-1',
  birthDate: '1964-08-12',
  sex: 'F',
  studyDate: undefined,
  studyDescription: undefined,
  ...more,
})

describe('the series to compare one with', () => {
  const lung = entry('own', { description: 'Lung 1.0' })
  it.each<[string, Partial<SeriesEntry>, Partial<SeriesEntry>, boolean]>([
    ['is of its modality', {}, {}, true],
    ['is of no other modality', {}, { modality: 'MR' }, false],
    ['has pictures', { modality: 'SR' }, { modality: 'SR' }, false],
    ['is of its body part, however that is written', {}, { bodyPart: 'Chest' }, true],
    ['is of no other body part', {}, { bodyPart: 'HEAD' }, false],
    ['may leave the body part out where it is described alike', {}, { bodyPart: '' }, true],
    ['may be of any body part where its own is not said', { bodyPart: '' }, { bodyPart: 'HEAD' }, true],
    ['is of its side', { laterality: 'L' }, { laterality: 'L' }, true],
    ['is not of the other side', { laterality: 'L' }, { laterality: 'R' }, false],
    ['may leave the side out', { laterality: 'L' }, { laterality: '' }, true],
    ['may say a side where its own is not said', {}, { laterality: 'R' }, true],
    ['is described alike where no body part is said', { bodyPart: '' }, { bodyPart: '', description: 'Bone' }, false],
  ])('%s', (_what, own, other, isMatch) => {
    const candidate = entry('other', { description: 'Lung 5.0', ...other })
    expect(findMatch({ ...lung, ...own }, [candidate])).toBe(isMatch ? candidate : undefined)
  })

  it('is the one described most alike, and that of its own body part before one that says none', () => {
    const others = [
      entry('unsaid', { description: 'Lung 1.0', bodyPart: '' }),
      entry('long', { description: 'Lung 1.0 coronal and sagittal' }),
      entry('alike', { description: 'Lung 1.0 axial' }),
    ]
    expect(findMatch(lung, others)?.uid).toBe('alike')
    expect(findMatch(lung, others.slice(0, 2))?.uid).toBe('long')
  })
})

describe('the study to compare a series with', () => {
  const own = entry('own')
  const of = (uid: string, studyDate: string | null, more: Parameters<typeof prior>[1] = {}) =>
    prior(uid, { studyDate, ...more })
  it.each<[string, ReturnType<typeof of>[], string | undefined]>([
    [
      'is the newest before its own',
      [of('later', '2027-01-01'), of('newest', '2026-01-01'), of('old', '2020-01-01')],
      'newest',
    ],
    [
      'is none of the same day while there is an earlier one',
      [of('same', '2026-11-01'), of('old', '2020-01-01')],
      'old',
    ],
    ['is the oldest after it where none is before', [of('late', '2028-01-01'), of('next', '2027-01-01')], 'next'],
    ['is none without a date while there is an earlier one', [of('undated', null), of('old', '2020-01-01')], 'old'],
    ['may be without a date where there is no other', [of('undated', null)], 'undated'],
    ['has its modality', [of('mr', '2026-01-01', { modalities: ['MR'] })], undefined],
    ['is of its body part', [of('head', '2026-01-01', { bodyParts: ['HEAD'] })], undefined],
    [
      'is of its body part, however that is written',
      [of('chest', '2026-01-01', { bodyParts: ['HEAD', 'Chest'] })],
      'chest',
    ],
    ['may say no body part', [of('unsaid', '2026-01-01', { bodyParts: [] })], 'unsaid'],
    ['is none where there is none', [], undefined],
  ])('%s', (_what, priors, uid) => {
    expect(findComparable(own, '2026-11-01', priors)?.studyUID).toBe(uid)
  })

  it('may be of any body part where its own is not said, and the last one where its own day is not', () => {
    const head = of('head', '2026-01-01', { bodyParts: ['HEAD'] })
    expect(findComparable(entry('own', { bodyPart: '' }), '2026-11-01', [head])).toBe(head)
    const dated = [of('a', '2026-01-01'), of('b', '2020-01-01')]
    expect(findComparable(own, undefined, dated)?.studyUID).toBe('b')
  })
})

it.each([
  ['2025-12-31', '2026-01-01', 'Earlier study'],
  ['2026-01-02', '2026-01-01', 'Later study'],
  ['2026-01-01', '2026-01-01', 'Other study'],
  [null, '2026-01-01', 'Other study'],
  ['2026-01-01', undefined, 'Other study'],
])('a study of %s beside one of %s is called %s', (studyDate, current, words) => {
  expect(relationOf(studyDate, current)).toBe(words)
})

it.each<[string, Partial<Subject> | undefined, ReturnType<typeof personsOf>]>([
  ['the same of all', {}, 'same'],
  ['the same ID and nothing else', { patientName: undefined, birthDate: undefined, sex: undefined }, 'same'],
  ['the name in other letters', { patientName: 'Doe, Jane' }, 'same'],
  ['another name', { patientName: 'ROE, JANE' }, 'unclear'],
  ['another birth date', { birthDate: '1964-08-13' }, 'unclear'],
  ['another sex', { sex: 'M' }, 'unclear'],
  ['another ID', { patientId: 'P-2' }, 'different'],
  ['no ID', { patientId: undefined }, 'unclear'],
  ['nothing that is known yet', undefined, 'unclear'],
])('with %s, two studies are of persons that are the same, unclear or different', (_what, other, found) => {
  const changed = other && subject(other)
  expect([personsOf(subject(), changed), personsOf(changed, subject())]).toEqual([found, found])
})

it('one that says nothing of its patient may be of anybody, and is not marked', () => {
  expect(mayBeSomebodyElse({ patientName: '', birthDate: null, sex: null }, subject())).toBe(false)
  expect(mayBeSomebodyElse({ patientName: 'DOE, JANE', birthDate: null, sex: 'M' }, subject())).toBe(true)
})
