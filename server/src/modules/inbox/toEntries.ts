import { inboxKinds, type InboxEntry, type InboxKind } from '@dmp/contract/inbox'
import type { InboxFact } from './inbox.repository.ts'

/** What happens again within this time is told together. */
const burstMs = 15 * 60_000

/** Facts that are one entry: newest first, all read or all unread. */
export type Burst = readonly [InboxFact, ...InboxFact[]]

const isSame = (a: InboxFact, b: InboxFact): boolean => {
  const { gathers } = inboxKinds[a.kind]
  return (
    gathers !== undefined &&
    a.kind === b.kind &&
    (a.read_date === null) === (b.read_date === null) &&
    (gathers === 'kind' || a.subject === b.subject) &&
    Math.abs(a.created_date.getTime() - b.created_date.getTime()) <= burstMs
  )
}

/** Gathers facts into entries, in the order of their newest fact. */
export function toBursts(facts: readonly InboxFact[]): Burst[] {
  const bursts: [InboxFact, ...InboxFact[]][] = []
  for (const fact of facts) {
    const burst = bursts.find((other) => isSame(other.at(-1) ?? other[0], fact))
    if (burst) burst.push(fact)
    else bursts.push([fact])
  }
  return bursts
}

const ofComplaint = ({ subject }: InboxFact): string => `/complaint/detail/${subject}`
const ofStudy = ({ organization_id, subject }: InboxFact, count: number): string =>
  count > 1 ? '/scan/worklist' : `/scan/patient/${organization_id}/${subject}`

const links: Readonly<Record<InboxKind, (fact: InboxFact, count: number) => string>> = {
  ScanArrived: ofStudy,
  TransferReceived: ofStudy,
  TransferDone: () => '/scan',
  ShareOpened: () => '/scan',
  ComplaintMade: ofComplaint,
  ComplaintChanged: ofComplaint,
  ComplaintAssigned: ofComplaint,
  ComplaintAnswered: ofComplaint,
  RegistrationWaiting: ({ subject }) => `/registration/detail/${subject}`,
  ReleaseWithdrawn: () => '/platform',
  ScanConflict: () => '/scan/conflicts',
  ExportReady: ({ subject }) => `/account/organization/export?organizationId=${subject}`,
  ImportOver: ({ subject }) => `/account/organization/import?organizationId=${subject}`,
  NewSignIn: () => '/account/security',
  AccessAlert: ({ subject }) => `/audit/alerts/${subject}`,
}

export function toEntry(burst: Burst): InboxEntry {
  const [fact] = burst
  const isOne = burst.length === 1 || inboxKinds[fact.kind].gathers === 'subject'
  return {
    id: fact.id,
    kind: fact.kind,
    date: fact.created_date.toISOString(),
    isUnread: fact.read_date === null,
    count: burst.reduce((sum, { times }) => sum + times, 0),
    link: links[fact.kind](fact, burst.length),
    patient: isOne ? fact.patient_name : null,
    what: isOne ? toWhat(fact) : null,
    who: fact.applicant ?? fact.writer,
    state: fact.state,
  }
}

function toWhat(fact: InboxFact): string | null {
  const { kind, modalities, description, device, address, subject } = fact
  if (kind === 'ReleaseWithdrawn') return subject
  if (kind === 'AccessAlert') return String(fact.alert_patients)
  if (kind === 'NewSignIn') return `${device}, ${address}`
  if (modalities) {
    // Many descriptions name the modality themselves: CT Thorax.
    const others = modalities.filter((modality) => !description?.split(' ').includes(modality))
    return [others.join('/'), description].filter(Boolean).join(' ')
  }
  return fact.number ?? fact.destination
}
