import { toFindings } from './browserTrial.ts'
import type { JourneyResult } from './smokeJourneys.ts'

const journey = (part: string, hasPassed = true, reason = ''): JourneyResult => ({
  parts: [part],
  title: `${part} starts`,
  hasPassed,
  isFlaky: false,
  reason,
  seconds: 1,
})

describe('findings of a browser trial', () => {
  it('is a finding on the candidate, one on each other that fails beside it, and one on the rest', () => {
    const found = toFindings(
      [journey('remote-scan'), journey('remote-user', false, 'its first screen shows no error'), journey('host')],
      ['remote-scan'],
    )
    expect(found.map(({ check, passed }) => [check, passed])).toEqual([
      ['journey remote-scan', true],
      ['journey remote-user', false],
      ['journeys beside it', true],
    ])
    expect(found[1]?.says).toBe('"remote-user starts" fails: its first screen shows no error')
    expect(found[1]?.cure).toContain('check remote-user')
  })

  it.each([
    ['', true, 'axe finds nothing against WCAG 2.2 A and AA on the first screen of remote-scan.'],
    ['color-contrast, label', false, 'axe finds on the first screen of remote-scan: color-contrast, label.'],
  ])('says what axe found on the first screen of the candidate: “%s” [P83]', (violations, passed, says) => {
    const found = toFindings([{ ...journey('remote-scan'), violations }, journey('remote-user')], ['remote-scan'])
    expect(found.map(({ check }) => check)).toEqual([
      'journey remote-scan',
      'accessibility remote-scan',
      'journeys beside it',
    ])
    expect(found[1]).toMatchObject({ passed, says })
  })
})
