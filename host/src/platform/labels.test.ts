import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { formatLoadTime, formatRelease, formatShare, formatShift } from './format.ts'
import { sayFault, toHealth } from './releaseLabels.ts'

const releaseId = '0123456789abcdef'

it.each([
  ['1.4.0', undefined, '1.4.0'],
  ['1.4.0', '1.5.0', '1.4.0'],
  ['1.4.0', '1.4.0', '1.4.0 (01234567)'],
  ['', undefined, '01234567'],
  ['', '', '01234567'],
])('a release of version %j beside one of %j is %s', (version, other, text) => {
  expect(formatRelease({ version, releaseId }, other === undefined ? undefined : { version: other })).toBe(text)
})

it.each([
  [formatLoadTime(null), '–'],
  [formatLoadTime(999), '999 ms'],
  [formatLoadTime(1000), '1.0 s'],
  [formatShift(50), '0.05'],
  [formatShare(null), '–'],
  [formatShare(0), '0 %'],
  [formatShare(0.0999), '10.0 %'],
  [formatShare(0.1), '10 %'],
])('a figure reads %s', (text, expected) => expect(text).toBe(expected))

it('has no word for a fault that a later server tells of, which stays as it is', () => {
  expect([sayFault('chunk'), sayFault('something-newer'), sayFault('constructor')]).toEqual([
    'A file not loaded',
    'something-newer',
    'constructor',
  ])
})

it('says that no page was there before it says how they do', () => {
  const figures: ReleaseFigures = { pages: 0, failures: 0, errors: 0, badShare: 0, loadMsP75: null, faults: [] }
  const watch = { isOn: true, minutes: 60, pages: 3, percent: 5, times: 3 }
  expect([toHealth(figures, watch).label, toHealth({ ...figures, pages: 1 }, watch).label]).toEqual([
    'No pages yet',
    'Healthy',
  ])
})
