import type { InboxKind } from './inboxKindNames.ts'

/** What of an entry is said; see `InboxEntry`. */
interface Described {
  readonly kind: InboxKind
  readonly count: number
  readonly patient: string | null
  readonly what: string | null
  readonly who: string | null
  readonly state: string | null
}

const gathered: Partial<Record<InboxKind, (count: number) => string>> = {
  ScanArrived: (count) => `${count} studies arrived.`,
  TransferReceived: (count) => `${count} studies were transferred to your organization.`,
}

const sentences: Readonly<Record<InboxKind, (entry: Described) => string>> = {
  ScanArrived: ({ what, patient }) => {
    if (isUnnamed(what, patient)) return 'A study arrived.'
    const study = what || 'A study'
    return patient === null ? `${study} arrived.` : `${study} of ${patient} arrived.`
  },
  TransferReceived: ({ what, patient }) => {
    if (isUnnamed(what, patient)) return 'A study was transferred to your organization.'
    const study = what || 'A study'
    return patient === null
      ? `${study} was transferred to your organization.`
      : `${study} of ${patient} was transferred to your organization.`
  },
  TransferDone: ({ state, what }) =>
    state === 'Failed'
      ? `Your transfer to ${what} failed. No scan arrived there.`
      : state === 'Partly'
        ? `Your transfer to ${what} ended: some scans did not arrive there.`
        : `Your transfer to ${what} is finished.`,
  ShareOpened: toOpenedSentence,
  ComplaintMade: ({ who, what }) => `${who} made complaint ${what}.`,
  ComplaintChanged: ({ what, state }) => `Complaint ${what} now has the status ${state}.`,
  ComplaintAssigned: ({ what }) => `Complaint ${what} was assigned to you.`,
  ComplaintAnswered: toAnsweredSentence,
  RegistrationWaiting: ({ who }) => `${who} asked to register and waits for a decision.`,
  ReleaseWithdrawn: ({ what }) => `The server took back release ${what} because it failed on people's pages.`,
  ScanConflict: ({ what, patient }) => {
    if (isUnnamed(what, patient)) return 'Something that contradicts a study waits for a decision.'
    const study = what || 'a study'
    return patient === null
      ? `Something that contradicts ${study} waits for a decision.`
      : `Something that contradicts ${study} of ${patient} waits for a decision.`
  },
  AccessAlert: toAlertSentence,
  ExportReady: ({ what }) => `The export of ${what} is ready. It can be downloaded for some days.`,
  ImportOver: ({ what }) => `The import into ${what} is over. Its page says what became of it.`,
  NewSignIn: ({ what }) =>
    `Somebody signed in to your account in a new place: ${what}. If that was not you, change your password.`,
}

/** In mails, and for people who may not see the scan: whole sentences, whose words other languages bend. */
const isUnnamed = (what: string | null, patient: string | null): boolean => !what && patient === null

function toOpenedSentence({ what, patient, count }: Described): string {
  if (isUnnamed(what, patient)) {
    if (count === 1) return 'Your link to a study was opened.'
    return count === 2 ? 'Your link to a study was opened twice.' : `Your link to a study was opened ${count} times.`
  }
  const study = what || 'a study'
  if (patient === null) {
    if (count === 1) return `Your link to ${study} was opened.`
    return count === 2 ? `Your link to ${study} was opened twice.` : `Your link to ${study} was opened ${count} times.`
  }
  if (count === 1) return `Your link to ${study} of ${patient} was opened.`
  return count === 2
    ? `Your link to ${study} of ${patient} was opened twice.`
    : `Your link to ${study} of ${patient} was opened ${count} times.`
}

function toAnsweredSentence({ who, what, count }: Described): string {
  if (count === 1) return `${who} wrote about complaint ${what}.`
  return count === 2
    ? `${who} wrote about complaint ${what} twice.`
    : `${who} wrote about complaint ${what} ${count} times.`
}

/** Mails leave out who it was. */
function toAlertSentence({ who, what, state }: Described): string {
  const isOne = what === '1'
  if (state === 'OwnName') {
    if (who === null)
      return isOne
        ? 'Somebody opened a patient with a name like their own.'
        : `Somebody opened ${what} patients with a name like their own.`
    return isOne
      ? `${who} opened a patient with a name like their own.`
      : `${who} opened ${what} patients with a name like their own.`
  }
  if (state === 'OutOfHours') {
    if (who === null)
      return isOne ? 'Somebody opened a patient out of hours.' : `Somebody opened ${what} patients out of hours.`
    return isOne ? `${who} opened a patient out of hours.` : `${who} opened ${what} patients out of hours.`
  }
  return who === null
    ? `Somebody opened ${what} different patients in a short time.`
    : `${who} opened ${what} different patients in a short time.`
}

/** Kinds that a newer server tells of: an older page shows and opens them all the same. */
const isKnown = (kind: string): boolean => Object.hasOwn(sentences, kind)

/** The entry in one sentence, as screens and mails say it. Never throws: the server may be newer than the page. */
export function toInboxSentence(entry: Described): string {
  if (!isKnown(entry.kind)) return 'Something new that this page does not know yet. Open it to see.'
  return ((entry.count > 1 && gathered[entry.kind]?.(entry.count)) || undefined) ?? sentences[entry.kind](entry)
}
