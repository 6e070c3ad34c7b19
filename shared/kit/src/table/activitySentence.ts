import type { Activity } from '@dmp/contract/audit'

/** What somebody did, in words. */
export interface Sentence {
  readonly who: string
  /** With marks where the person and the scan belong. */
  readonly text: string
}

/**
 * Stand in a sentence for the person and the scan, which the screen draws: where they belong depends on the language.
 * They are characters that no text has.
 */
const [who, scan] = ['\uE000', '\uE001']

/** A sentence in its pieces, those for the person and the scan by name. */
export const splitSentence = (text: string): readonly (string | { readonly of: 'who' | 'scan' })[] =>
  text
    .split(/([\uE000\uE001])/)
    .filter(Boolean)
    .map((piece) => (piece === who ? { of: 'who' } : piece === scan ? { of: 'scan' } : piece))

type Facts = ReadonlyMap<string, string>
interface Phrase {
  /** Of several series only all images together are known; then `images` is undefined. */
  readonly text: string | ((facts: Facts, images: string | undefined) => string)
}

function imagesText(facts: Facts): string | undefined {
  const count = Number(facts.get('instances') ?? Number.NaN)
  if (Number.isNaN(count) || facts.get('series')?.includes(',')) return undefined
  return count === 1 ? '1 image' : `${count} images`
}

/** Of events with scans. */
const aboutScans: Readonly<Record<string, Phrase>> = {
  ScanViewed: { text: `${who} viewed ${scan}` },
  ScanDownloaded: {
    text: (facts) => (facts.has('resumedAtByte') ? `${who} went on downloading ${scan}` : `${who} downloaded ${scan}`),
  },
  ScanShared: {
    text: (facts) => {
      const recipient = facts.get('recipient')
      return recipient ? `${who} shared ${scan} with ${recipient}` : `${who} shared ${scan}`
    },
  },
  ShareUsed: { text: `${who} opened the share link of ${scan}` },
  ShareRevoked: { text: `${who} ended a share link of ${scan}` },
  ScansTransferred: {
    text: (facts) =>
      facts.get('anonymize') === 'true'
        ? `${who} sent ${scan} to another organization, without identity`
        : `${who} sent ${scan} to another organization`,
  },
  TransferStopped: { text: `${who} stopped the transfer of ${scan}` },
  ScansHeldBack: { text: `${who} held back ${scan} until somebody looks at its pictures` },
  HeldScansDecided: {
    text: (facts) =>
      facts.get('decision') === 'Send'
        ? `${who} looked at the pictures of ${scan} and sent it`
        : `${who} left ${scan} out of a transfer`,
  },
  ScansUploaded: {
    text: (_, images) => (images ? `${who} uploaded ${images} of ${scan}` : `${who} uploaded images of ${scan}`),
  },
  ScansDeleted: {
    text: (_, images) => (images ? `${who} deleted ${images} of ${scan}` : `${who} deleted images of ${scan}`),
  },
  ScansRestored: {
    text: (_, images) => (images ? `${who} took ${images} back of ${scan}` : `${who} took images back of ${scan}`),
  },
  ScansPurged: {
    text: (_, images) =>
      images ? `${who} deleted ${images} for good of ${scan}` : `${who} deleted images for good of ${scan}`,
  },
  LegalHoldSet: { text: `${who} put under legal hold: ${scan}` },
  LegalHoldEnded: { text: `${who} ended the legal hold of ${scan}` },
  ScanConflictFound: { text: `${who} sent images that contradict ${scan}` },
  ScanConflictSettled: { text: `${who} settled a conflict of ${scan}` },
}

/** Of everything else that people do. */
const others: Readonly<Record<string, Phrase>> = {
  SignedIn: { text: `${who} signed in` },
  SignInFailed: { text: `${who} could not sign in` },
  SignedOut: { text: `${who} signed out` },
  SessionEnded: { text: `${who} ended a session` },
  MfaFailed: { text: `${who} typed a wrong code` },
  TokenExchanged: { text: `${who} went on working` },
  PasswordChanged: { text: `${who} changed the password` },
  PasswordResetRequested: { text: `${who} asked for a new password` },
  PasswordReset: { text: `${who} set a new password` },
  PreferencesChanged: { text: `${who} changed settings` },
  ProfileChanged: { text: `${who} changed the profile` },
  UserViewed: { text: `${who} viewed a person` },
  UsersExported: { text: `${who} exported the list of people` },
  ScansExported: { text: `${who} exported a list of scans` },
  UserAdded: { text: `${who} added a person` },
  UserChanged: { text: `${who} changed a person` },
  UserActivated: { text: `${who} activated a person` },
  UserDeactivated: { text: `${who} deactivated a person` },
  TemporaryPasswordSent: { text: `${who} sent a temporary password` },
  TermsSent: { text: `${who} sent the terms of use` },
  OrganizationRenamed: { text: `${who} renamed the organization` },
  OrganizationLogoChanged: { text: `${who} changed the logo of the organization` },
  OrganizationExported: { text: `${who} exported the organization` },
  OrganizationImported: { text: `${who} imported into the organization` },
  OrganizationExportDownloaded: { text: `${who} downloaded an export of the organization` },
  OrganizationLogoRemoved: { text: `${who} removed the logo of the organization` },
  LicensesAssigned: { text: `${who} assigned licenses` },
  RegistrationViewed: { text: `${who} viewed a registration` },
  RegistrationApproved: { text: `${who} approved a registration` },
  RegistrationRejected: { text: `${who} rejected a registration` },
  ComplaintViewed: { text: `${who} viewed a complaint` },
  ComplaintAdded: { text: `${who} filed a complaint` },
  ComplaintStatusChanged: { text: `${who} changed the status of a complaint` },
  ComplaintSeverityChanged: { text: `${who} changed the severity of a complaint` },
  ComplaintAssigned: { text: `${who} assigned a complaint` },
  ComplaintAnswered: { text: `${who} wrote about a complaint` },
  AlertRulesChanged: { text: `${who} changed the rules for alerts` },
  AccessAlertRaised: { text: `${who} told administrators of an alert` },
  AccessAlertAcknowledged: { text: `${who} looked into an alert` },
  AccessRefused: { text: `${who} was refused access` },
  AuditExported: { text: `${who} exported the audit` },
  AuditChecked: { text: `${who} checked the audit` },
}

/** Whoever came by a share link: the address that a code proved is all that is known of them. */
function visitorText(event: string, facts: Facts): string | undefined {
  const email = facts.get('email')
  if (!facts.has('shareId') && event !== 'ShareUsed' && event !== 'ScanDownloaded') return undefined
  return email ? `Somebody with the link for ${email}` : 'Somebody with the link'
}

/** Of events without a person it was mostly the server itself, but not of all. */
const strangerText = (event: string): string =>
  event === 'SignInFailed' || event === 'AccessRefused' ? 'Somebody' : 'The platform'

/** Who did it: a person, or as much as is known of somebody who came by a share link; empty for everything else. */
export const toActor = ({ event, actor, subject }: Pick<Activity, 'event' | 'actor' | 'subject'>): string =>
  actor ?? visitorText(event, toFacts(subject)) ?? ''

const toFacts = (subject: Activity['subject']): Facts => new Map(subject.map(({ key, value }) => [key, value]))

/** `ReleaseRolledBack` as "release rolled back": an event of a newer server. */
const toWords = (event: string): string => event.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

export function toSentence({ event, actor, subject }: Activity): Sentence {
  const facts = toFacts(subject)
  const { text } = aboutScans[event] ?? others[event] ?? { text: `${who} ${toWords(event)}` }
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
