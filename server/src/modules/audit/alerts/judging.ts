import type { AlertRuleName, AlertRules } from '@dmp/contract/organization'
import { findClosedTime, type ClosedTime } from './hours.ts'

/** Somebody opened something, with the patients that it is of. */
export interface Opening {
  readonly at: Date
  /** A service account has no hours and no family. */
  readonly isOfMachine: boolean
  readonly patients: readonly { readonly key: string; readonly isLikeOwnName: boolean }[]
}

/** An alert that is there, or that the judging adds. */
export interface JudgedAlert {
  /** Absent while it is new. */
  readonly id?: string
  readonly rule: AlertRuleName
  patients: number
  readonly patientKeys: Set<string>
  readonly first: number
  last: number
  readonly until: number
  isChanged: boolean
}

/** What is known of a person's openings in one organization. */
export interface Person {
  /** When each patient was opened last. */
  readonly opened: Map<string, number>
  readonly alerts: JudgedAlert[]
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** However short the window of a rule is: nobody is told more often of the same person. */
const leastPauseMs = 60 * minuteMs
/** Of one alert: a number says enough. */
const mostKeys = 1000

/** Judges the openings of one organization, each person's in the order of time. */
export function createJudge(rules: AlertRules): (person: Person, opening: Opening) => void {
  let closed: ClosedTime | undefined
  const closedAt = (at: Date): ClosedTime | undefined => {
    if (!closed || at < closed.since || at >= closed.until) closed = findClosedTime(at, rules)
    return closed
  }
  return (person, { at, isOfMachine, patients }) => {
    const now = at.getTime()
    for (const { key } of patients) person.opened.set(key, Math.max(now, person.opened.get(key) ?? now))
    if (rules.manyPatients) judgeMany(person, now, rules)
    if (isOfMachine) return
    const likes = patients.filter(({ isLikeOwnName }) => isLikeOwnName).map(({ key }) => key)
    if (rules.ownName && likes.length > 0) judgeName(person, now, likes)
    const night = rules.outOfHours ? closedAt(at) : undefined
    if (night) judgeNight(person, now, night, rules.outOfHoursPatients)
  }
}

const findNewest = ({ alerts }: Person, rule: AlertRuleName): JudgedAlert | undefined =>
  alerts
    .filter((alert) => alert.rule === rule)
    .reduce<JudgedAlert | undefined>(
      (newest, alert) => (newest && newest.until >= alert.until ? newest : alert),
      undefined,
    )

const listSince = ({ opened }: Person, since: number): number[] => [...opened.values()].filter((time) => time >= since)

function grow(alert: JudgedAlert, now: number, patients: number): void {
  alert.last = Math.max(alert.last, now)
  alert.patients = Math.max(alert.patients, patients)
  alert.isChanged = true
}

const raise = ({ alerts }: Person, alert: Omit<JudgedAlert, 'isChanged' | 'patientKeys'>, keys: string[] = []): void =>
  void alerts.push({ ...alert, patientKeys: new Set(keys), isChanged: true })

function judgeMany(person: Person, now: number, { minutes, patients: most }: AlertRules): void {
  const known = findNewest(person, 'ManyPatients')
  if (known && now <= known.until) return grow(known, now, listSince(person, known.first).length)
  const windowMs = minutes * minuteMs
  const times = listSince(person, Math.max(now - windowMs, (known?.until ?? 0) + 1))
  if (times.length <= most) return
  const until = now + Math.max(windowMs, leastPauseMs)
  raise(person, { rule: 'ManyPatients', patients: times.length, first: Math.min(...times), last: now, until })
}

function judgeNight(person: Person, now: number, night: ClosedTime, least: number): void {
  const known = findNewest(person, 'OutOfHours')
  if (known && now <= known.until) return grow(known, now, listSince(person, known.first).length)
  const times = listSince(person, Math.max(night.since.getTime(), now - dayMs, (known?.until ?? 0) + 1))
  if (times.length < least) return
  const until = Math.min(night.until.getTime() - 1, now + dayMs)
  raise(person, { rule: 'OutOfHours', patients: times.length, first: Math.min(...times), last: now, until })
}

function judgeName(person: Person, now: number, likes: string[]): void {
  const known = findNewest(person, 'OwnName')
  if (!known || now > known.until) {
    const alert = { rule: 'OwnName', patients: likes.length, first: now, last: now, until: now + dayMs } as const
    return raise(person, alert, likes)
  }
  for (const key of likes) if (known.patientKeys.size < mostKeys) known.patientKeys.add(key)
  grow(known, now, known.patientKeys.size)
}
