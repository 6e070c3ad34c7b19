import { defaultAlertRules, type AlertRules } from '@dmp/contract/organization'
import { findClosedTime } from './hours.ts'
import { createJudge, type Person } from './judging.ts'
import { isLikeOwnName } from './ownName.ts'

const rules: AlertRules = { ...defaultAlertRules, timeZone: 'Europe/Berlin', outOfHours: true }
const closedAt = (at: string, over: Partial<AlertRules> = {}) => {
  const closed = findClosedTime(new Date(at), { ...rules, ...over })
  return closed && [closed.since.toISOString(), closed.until.toISOString()]
}

describe('the hours of an organization', () => {
  it.each([
    ['on a working day', '2026-11-25T10:00:00Z', undefined],
    ['in its first minute', '2026-11-25T06:00:00Z', undefined],
    ['in the minute after its last', '2026-11-25T18:00:00Z', ['2026-11-25T18:00:00.000Z', '2026-11-26T06:00:00.000Z']],
    ['before it opens', '2026-11-25T05:59:00Z', ['2026-11-24T18:00:00.000Z', '2026-11-25T06:00:00.000Z']],
    ['at a weekend', '2026-11-28T12:00:00Z', ['2026-11-27T18:00:00.000Z', '2026-11-30T06:00:00.000Z']],
    // The clocks go forward in that night.
    ['at that weekend', '2026-03-29T10:00:00Z', ['2026-03-27T18:00:00.000Z', '2026-03-30T05:00:00.000Z']],
  ])('%s are told by its own clocks [P72]', (_when, at, expected) => {
    expect(closedAt(at)).toEqual(expected)
  })

  it('may be of one day, of whole days, and of another week [P72]', () => {
    expect(closedAt('2026-11-25T10:00:00Z', { days: ['Thursday'] })).toEqual([
      '2026-11-19T18:00:00.000Z',
      '2026-11-26T06:00:00.000Z',
    ])
    expect(closedAt('2026-11-25T22:59:00Z', { from: '00:00', until: '24:00' })).toBeUndefined()
    expect(closedAt('2026-11-27T10:00:00Z', { days: ['Sunday', 'Thursday'], timeZone: 'Asia/Riyadh' })).toEqual([
      '2026-11-26T16:00:00.000Z',
      '2026-11-29T04:00:00.000Z',
    ])
  })
})

describe('a name like one’s own', () => {
  it.each([
    ['lind, nora', 'lind', true],
    ['lind-berg, max', 'berg', true],
    ['mueller, eva', 'muller', true],
    ['van der berg, jo', 'van der meer', false],
    ['das, ravi', 'das', true],
    ['berger, lind', 'lind', false],
    ['王, 伟', '王', true],
    ['', 'lind', false],
  ])('“%s” and “%s”: %s [P72]', (patient, own, expected) => {
    expect(isLikeOwnName(patient, own)).toBe(expected)
  })
})

describe('many patients', () => {
  const start = Date.parse('2026-11-25T09:00:00Z')
  const open = (over: Partial<AlertRules>, minutes: readonly number[], key = (at: number) => `p${at}`): Person => {
    const person: Person = { opened: new Map(), alerts: [] }
    const judge = createJudge({ ...rules, patients: 5, minutes: 10, ...over })
    minutes.forEach((minute, index) =>
      judge(person, {
        at: new Date(start + minute * 60_000),
        isOfMachine: false,
        patients: [{ key: key(index), isLikeOwnName: false }],
      }),
    )
    return person
  }
  const many = Array.from({ length: 20 }, (_, index) => index)

  it('are more than the rule says within its minutes, and each of them once [P72]', () => {
    expect(open({}, [0, 1, 2, 3, 4]).alerts).toEqual([])
    expect(open({}, many, () => 'the same').alerts).toEqual([])
    expect(open({}, [0, 2, 4, 6, 8, 11]).alerts).toEqual([])
    expect(open({ manyPatients: false }, many).alerts).toEqual([])
    const [alert, ...others] = open({}, [0, 1, 2, 3, 4, 5]).alerts
    expect(others).toEqual([])
    expect(alert).toMatchObject({ rule: 'ManyPatients', patients: 6, first: start, last: start + 300_000 })
  })

  it('are one alert that grows for an hour, then another [P72]', () => {
    expect(open({}, many).alerts).toMatchObject([{ patients: 20 }])
    const day = Array.from({ length: 480 }, (_, index) => index)
    const { alerts } = open({}, day)
    expect(alerts.length).toBeGreaterThan(5)
    expect(alerts.length).toBeLessThan(9)
    expect(alerts.every(({ first, until }) => until - first >= 3_600_000)).toBe(true)
  })
})

describe('an alert', () => {
  const minuteMs = 60_000
  const dayMs = 1440 * minuteMs
  /** The alerts of one rule, of somebody who opens one patient after the other at these times. */
  const judged = (rule: 'ManyPatients' | 'OutOfHours' | 'OwnName', times: readonly number[]) => {
    const only = {
      manyPatients: false,
      outOfHours: false,
      ownName: false,
      patients: 1,
      minutes: 10,
      outOfHoursPatients: 1,
    }
    const name = { ManyPatients: 'manyPatients', OutOfHours: 'outOfHours', OwnName: 'ownName' }[rule]
    const person: Person = { opened: new Map(), alerts: [] }
    const judge = createJudge({ ...rules, ...only, [name]: true })
    times.forEach((time, index) =>
      judge(person, { at: new Date(time), isOfMachine: false, patients: [{ key: `p${index}`, isLikeOwnName: true }] }),
    )
    return person.alerts.map(({ patients, first, last }) => [patients, first, last])
  }
  const noon = Date.parse('2026-11-25T12:00:00Z')
  const evening = Date.parse('2026-11-25T18:00:00Z')
  const morning = Date.parse('2026-11-26T06:00:00Z')

  it.each<[string, Parameters<typeof judged>[0], number[], number[][]]>([
    [
      'counts what was opened at the beginning of its minutes',
      'ManyPatients',
      [noon, noon + 10 * minuteMs],
      [[2, 0, 10]],
    ],
    ['does not count what was opened before', 'ManyPatients', [noon, noon + 10 * minuteMs + 1], []],
    ['goes on for an hour', 'ManyPatients', [noon, noon, noon + 60 * minuteMs], [[3, 0, 60]]],
    [
      'is over after an hour, and the next one counts anew',
      'ManyPatients',
      [noon, noon, noon + 60 * minuteMs + 1, noon + 61 * minuteMs],
      [
        [2, 0, 0],
        [2, 60 + 1 / minuteMs, 61],
      ],
    ],
    ['goes on for a day', 'OwnName', [noon, noon + dayMs], [[2, 0, 1440]]],
    [
      'is over after a day',
      'OwnName',
      [noon, noon + dayMs + 1],
      [
        [1, 0, 0],
        [1, 1440 + 1 / minuteMs, 1440 + 1 / minuteMs],
      ],
    ],
    ['begins when the organization closes', 'OutOfHours', [evening - 1], []],
    ['begins in that instant', 'OutOfHours', [evening], [[1, 360, 360]]],
    ['goes on until the organization opens', 'OutOfHours', [evening, morning - 1], [[2, 360, 1080 - 1 / minuteMs]]],
    ['is over in that instant', 'OutOfHours', [evening, morning], [[1, 360, 360]]],
    [
      'is another one in another night',
      'OutOfHours',
      [evening, morning, evening + dayMs],
      [
        [1, 360, 360],
        [1, 1800, 1800],
      ],
    ],
  ])('%s: %s [P72]', (_what, rule, times, expected) => {
    const inMinutes = judged(rule, times).map(([patients = 0, first = 0, last = 0]) => [
      patients,
      (first - noon) / minuteMs,
      (last - noon) / minuteMs,
    ])
    expect(inMinutes).toEqual(expected)
  })

  it('judges each night by itself, whoever was judged before [P72]', () => {
    const judge = createJudge({ ...rules, outOfHoursPatients: 1 })
    const alerts = [evening, noon, evening - dayMs].map((time) => {
      const person: Person = { opened: new Map(), alerts: [] }
      judge(person, { at: new Date(time), isOfMachine: false, patients: [{ key: 'p', isLikeOwnName: false }] })
      return person.alerts.length
    })
    expect(alerts).toEqual([1, 0, 1])
  })

  it('counts a thousand patients of one’s own name, and then no further one [P72]', () => {
    const times = Array.from({ length: 1002 }, (_, index) => noon + index)
    expect(judged('OwnName', times)).toEqual([[1000, noon, noon + 1001]])
  })
})
