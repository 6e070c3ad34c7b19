import type { Activity } from '@dmp/contract/audit'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import { imagesText, person, phrases, scan, who, type Phrase } from './activityPhrases.ts'
import { toActor, toFacts } from './toActor.ts'

/** What somebody did, in words. */
export interface Sentence {
  readonly who: string
  /** With marks where the people and the scan belong. */
  readonly text: string
}

const marks = { [who]: { of: 'who' }, [scan]: { of: 'scan' }, [person]: { of: 'person' } } as const

/** A sentence in its pieces, those for the people and the scan by name. */
export const splitSentence = (text: string): readonly (string | { readonly of: 'who' | 'scan' | 'person' })[] =>
  text
    .split(/([\uE000-\uE002])/)
    .filter(Boolean)
    .map((piece) => marks[piece as keyof typeof marks] ?? piece)

/** Of events without a person it was mostly the server itself, but not of these. */
const ofStrangers: ReadonlySet<string> = new Set<AuditEvent>([
  'SignInFailed',
  'AccessRefused',
  'PasswordResetFailed',
  'RegistrationAdded',
])

const strangerText = (event: string): string => (ofStrangers.has(event) ? 'Somebody' : 'The platform')

/** `ReleaseRolledBack` as "release rolled back": an event of a newer server. */
const toWords = (event: string): string => event.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

export function toSentence({ event, actor, subject }: Activity): Sentence {
  const facts = toFacts(subject)
  const { text } = (phrases as Partial<Record<string, Phrase>>)[event] ?? { text: `${who} ${toWords(event)}` }
  return {
    who: toActor({ event, actor, subject }) || (facts.get('email') ?? strangerText(event)),
    text: typeof text === 'string' ? text : text(facts, imagesText(facts)),
  }
}

/** The same done again with nothing else in between, newest first. */
export interface Repeated {
  readonly newest: Activity
  readonly count: number
}

/** Rows of one local day: an image viewer that is open for an hour is one line. */
export interface Day {
  readonly day: string
  readonly repeated: readonly Repeated[]
}

const keyOf = (row: Activity): string => {
  const sentence = toSentence(row)
  return JSON.stringify([sentence, row.outcome, row.scan?.studyUID ?? row.subject])
}

export function groupByDay(rows: readonly Activity[], dayOf: (instant: string) => string): Day[] {
  const days: { day: string; repeated: { newest: Activity; count: number }[] }[] = []
  for (const row of rows) {
    const day = dayOf(row.at)
    if (days.at(-1)?.day !== day) days.push({ day, repeated: [] })
    const repeated = days.at(-1)?.repeated ?? []
    const last = repeated.at(-1)
    if (last && keyOf(last.newest) === keyOf(row)) last.count += 1
    else repeated.push({ newest: row, count: 1 })
  }
  return days
}
