import type { Activity } from '@dmp/contract/audit'

/** What somebody did, around the scan that it was done to: "shared" MR Heart "with ada@example.org". */
export interface Sentence {
  readonly who: string
  readonly did: string
  readonly more?: string
}

type Facts = ReadonlyMap<string, string>
type Phrase = string | ((facts: Facts) => Omit<Sentence, 'who'>)

/** Of several series only all images together are known. */
function countImages(facts: Facts): string {
  const count = facts.get('instances')
  if (count === undefined || facts.get('series')?.includes(',')) return 'images'
  return count === '1' ? '1 image' : `${count} images`
}

/** Of events with scans; the scan's name stands behind them. */
const aboutScans: Readonly<Record<string, Phrase>> = {
  ScanViewed: 'viewed',
  ScanDownloaded: (facts) => ({ did: facts.has('resumedAtByte') ? 'went on downloading' : 'downloaded' }),
  ScanShared: (facts) => {
    const to = facts.get('recipient')
    return { did: 'shared', ...(to && { more: `with ${to}` }) }
  },
  ShareUsed: 'opened the share link of',
  ShareRevoked: 'ended a share link of',
  ScansTransferred: (facts) => ({
    did: 'sent',
    more: facts.get('anonymize') === 'true' ? 'to another organization, without identity' : 'to another organization',
  }),
  TransferStopped: () => ({ did: 'stopped the transfer of' }),
  ScansHeldBack: () => ({ did: 'held back', more: 'until somebody looks at its pictures' }),
  HeldScansDecided: (facts) =>
    facts.get('decision') === 'Send'
      ? { did: 'looked at the pictures of', more: 'and sent it' }
      : { did: 'left', more: 'out of a transfer' },
  ScansUploaded: (facts) => ({ did: `uploaded ${countImages(facts)} of` }),
  ScansDeleted: (facts) => ({ did: `deleted ${countImages(facts)} of` }),
  ScansRestored: (facts) => ({ did: `took ${countImages(facts)} back of` }),
  ScansPurged: (facts) => ({ did: `deleted ${countImages(facts)} for good of` }),
  LegalHoldSet: 'put under legal hold:',
  LegalHoldEnded: 'ended the legal hold of',
  ScanConflictFound: 'sent images that contradict',
  ScanConflictSettled: 'settled a conflict of',
}

/** Of everything else that people do. */
const others: Readonly<Record<string, string>> = {
  SignedIn: 'signed in',
  SignInFailed: 'could not sign in',
  SignedOut: 'signed out',
  SessionEnded: 'ended a session',
  MfaFailed: 'typed a wrong code',
  TokenExchanged: 'went on working',
  PasswordChanged: 'changed the password',
  PasswordResetRequested: 'asked for a new password',
  PasswordReset: 'set a new password',
  PreferencesChanged: 'changed settings',
  ProfileChanged: 'changed the profile',
  UserViewed: 'viewed a person',
  UsersExported: 'exported the list of people',
  UserAdded: 'added a person',
  UserChanged: 'changed a person',
  UserActivated: 'activated a person',
  UserDeactivated: 'deactivated a person',
  TemporaryPasswordSent: 'sent a temporary password',
  TermsSent: 'sent the terms of use',
  OrganizationRenamed: 'renamed the organization',
  OrganizationLogoChanged: 'changed the logo of the organization',
  OrganizationExported: 'exported the organization',
  OrganizationImported: 'imported into the organization',
  OrganizationExportDownloaded: 'downloaded an export of the organization',
  OrganizationLogoRemoved: 'removed the logo of the organization',
  LicensesAssigned: 'assigned licenses',
  RegistrationViewed: 'viewed a registration',
  RegistrationApproved: 'approved a registration',
  RegistrationRejected: 'rejected a registration',
  ComplaintViewed: 'viewed a complaint',
  ComplaintAdded: 'filed a complaint',
  ComplaintStatusChanged: 'changed the status of a complaint',
  ComplaintSeverityChanged: 'changed the severity of a complaint',
  ComplaintAssigned: 'assigned a complaint',
  ComplaintAnswered: 'wrote about a complaint',
  AlertRulesChanged: 'changed the rules for alerts',
  AccessAlertRaised: 'told administrators of an alert',
  AccessAlertAcknowledged: 'looked into an alert',
  AccessRefused: 'was refused access',
  AuditExported: 'exported the audit',
  AuditChecked: 'checked the audit',
}

/** Of events without a person it was mostly the server itself, but not of these. */
const strangers: Readonly<Record<string, string>> = {
  ShareUsed: 'Somebody with the link',
  ScanDownloaded: 'Somebody with the link',
  SignInFailed: 'Somebody',
  AccessRefused: 'Somebody',
}

/** `ReleaseRolledBack` as "release rolled back": an event of a newer server. */
const toWords = (event: string): string => event.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

export const isAboutScans = ({ event }: Pick<Activity, 'event'>): boolean => event in aboutScans

/** An event in words; the name of the scan, where it has one, belongs between `did` and `more`. */
export function toSentence({ event, actor, subject }: Activity): Sentence {
  const facts = new Map(subject.map(({ key, value }) => [key, value]))
  const who = actor ?? facts.get('email') ?? strangers[event] ?? 'The platform'
  const phrase = aboutScans[event] ?? others[event] ?? toWords(event)
  return { who, ...(typeof phrase === 'string' ? { did: phrase } : phrase(facts)) }
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
  const { who, did, more } = toSentence(row)
  return JSON.stringify([who, row.outcome, did, more, row.scan?.studyUID ?? row.subject])
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
