import * as v from 'valibot'
import { endpoint, may, permits, type Needs, type Policy } from './endpoint.ts'
import { InboxKind, inboxKindNames } from './inboxKindNames.ts'
import { exact, Instant, maybe, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { wholeNumber } from './paging.ts'
export { toInboxSentence } from './inboxSentence.ts'
export { InboxKind, inboxKindNames } from './inboxKindNames.ts'

const Text = v.string('Text.')

/** How somebody wants to be told: not at all, in the inbox, and by mail besides, soon or once a day. */
export const inboxChoices = ['Off', 'Here', 'AtOnce', 'Daily'] as const
export const InboxChoice = v.picklist(inboxChoices, `Choose one of: ${inboxChoices.join(', ')}.`)
export type InboxChoice = v.InferOutput<typeof InboxChoice>

export interface InboxKindRule {
  /** What it is about, on the screen of choices. */
  readonly title: string
  /** Who may be told, judged when it is read. */
  readonly needs: Needs
  /** What holds for people who chose nothing. */
  readonly otherwise: InboxChoice
  /** What can be chosen. A warning cannot be turned off; what has a mail of its own gets no second one. */
  readonly offers: readonly InboxChoice[]
  /** What happens again within a quarter of an hour is one entry: of the kind, or of the same thing. */
  readonly gathers?: 'kind' | 'subject'
}

const offers = inboxChoices
/** Whoever asked for it waits for it. */
const atOnce = { otherwise: 'AtOnce', offers } as const

/** Everything that the inbox tells, each once. */
export const inboxKinds: Readonly<Record<InboxKind, InboxKindRule>> = {
  ScanArrived: { title: 'Scans arrive', needs: may('Scan', 'List'), otherwise: 'Here', offers, gathers: 'kind' },
  TransferReceived: {
    title: 'Scans are transferred to your organization',
    needs: may('Scan', 'List'),
    otherwise: 'Here',
    offers,
    gathers: 'kind',
  },
  TransferDone: {
    title: 'Your transfers finish',
    needs: may('Scan', 'Transfer'),
    otherwise: 'Here',
    offers,
  },
  ShareOpened: {
    title: 'Your links are opened',
    needs: may('Scan', 'Share'),
    otherwise: 'Here',
    offers,
    gathers: 'subject',
  },
  ComplaintMade: { title: 'Complaints are made', needs: may('Complaint', 'UpdateStatus'), otherwise: 'Here', offers },
  ComplaintChanged: {
    title: 'The status of your complaints changes',
    needs: may('Complaint', 'Get'),
    otherwise: 'Here',
    // Whoever complained gets a mail in any case.
    offers: ['Off', 'Here'],
  },
  ComplaintAssigned: {
    title: 'Complaints are assigned to you',
    needs: may('Complaint', 'UpdateStatus'),
    otherwise: 'Here',
    offers,
  },
  ComplaintAnswered: {
    title: 'Somebody writes about your complaints',
    needs: may('Complaint', 'Get'),
    otherwise: 'Here',
    offers,
    gathers: 'subject',
  },
  RegistrationWaiting: {
    title: 'New registrations',
    needs: may('Registration', 'Approve'),
    otherwise: 'Here',
    offers,
  },
  ReleaseWithdrawn: {
    title: 'Releases are taken back',
    needs: may('Release', 'List'),
    otherwise: 'Here',
    // Super administrators get a mail in any case.
    offers: ['Off', 'Here'],
  },
  ScanConflict: {
    title: 'Objects are refused because they contradict what is stored',
    needs: may('Scan', 'ListConflicts'),
    otherwise: 'Here',
    offers,
    gathers: 'subject',
  },
  AccessAlert: {
    title: 'Alerts about how patients are looked at',
    needs: may('Audit', 'List'),
    otherwise: 'Here',
    offers,
  },
  ExportReady: { title: 'The export of your organization is ready', needs: may('Organization', 'Export'), ...atOnce },
  ImportOver: { title: 'The import into your organization is over', needs: may('Organization', 'Import'), ...atOnce },
  NewSignIn: {
    title: 'Your account is used in a new place',
    needs: 'session',
    otherwise: 'AtOnce',
    // The mail belongs to the sign-in: whoever signed in could otherwise choose that it does not go out.
    offers: ['AtOnce'],
  },
}

/** The kinds that may reach a policy. */
export const inboxKindsFor = (policy: Policy): InboxKind[] =>
  inboxKindNames.filter((kind) => permits(policy, inboxKinds[kind].needs))

/** Something that happened, or a burst of the same: `count` says of how many things it tells. */
export const InboxEntry = v.object({
  id: Uuid,
  kind: InboxKind,
  date: Instant,
  isUnread: v.boolean('True or false.'),
  count: v.number('A number.'),
  /** The page of it, for instance `/complaint/detail/…`. */
  link: Text,
  /** The patient, only for people who may see the scan. */
  patient: maybe(Text),
  /** What it is about: a study, a complaint's number, a release, a device. */
  what: maybe(Text),
  /** Who did it, or who asks. */
  who: maybe(Text),
  /** The status that something has since then. */
  state: maybe(Text),
})
export type InboxEntry = v.InferOutput<typeof InboxEntry>

const page = () => `A page has 1 to ${limits.inboxMostEntries} entries.`

/** The entries that the viewer may still see, newest first, at most 500 of the last 90 days. */
export const list = endpoint({
  method: 'GET',
  path: '/Inbox/list',
  summary: 'What happened that concerns the viewer, newest first.',
  needs: 'session',
  query: exact({
    page: v.optional(v.pipe(wholeNumber('page', /^\d{1,3}$/), v.minValue(1, 'Pages start at 1.')), 1),
    pageSize: v.optional(
      v.pipe(wholeNumber('pageSize', /^\d{1,9}$/), v.minValue(1, page), v.maxValue(limits.inboxMostEntries, page)),
      limits.inboxPageSize,
    ),
  }),
  answer: v.object({
    entries: v.array(InboxEntry, 'A list.'),
    /** On all pages. */
    total: v.number('A number.'),
    unread: v.number('A number.'),
  }),
})

export const count = endpoint({
  method: 'GET',
  path: '/Inbox/count',
  summary: 'How many entries the viewer has not read.',
  needs: 'session',
  answer: v.object({ unread: v.number('A number.') }),
})

export const markRead = endpoint({
  method: 'POST',
  path: '/Inbox/markRead',
  summary: 'Mark one entry as read.',
  needs: 'session',
  body: exact({ id: Uuid }),
  answer: v.object({ unread: v.number('A number.') }),
})

/** What came after `until`, and was not seen yet, stays unread. */
export const markAllRead = endpoint({
  method: 'POST',
  path: '/Inbox/markAllRead',
  summary: 'Mark every entry up to an instant as read.',
  needs: 'session',
  body: exact({ until: Instant }),
  answer: v.object({ unread: v.number('A number.') }),
})

export const InboxSetting = v.object({ kind: InboxKind, choice: InboxChoice })
export type InboxSetting = v.InferOutput<typeof InboxSetting>
const InboxSettings = v.array(InboxSetting, 'A list.')

export const listChoices = endpoint({
  method: 'GET',
  path: '/Inbox/listChoices',
  summary: 'How the viewer is told of each kind that may reach them.',
  needs: 'session',
  answer: InboxSettings,
})

export const choose = endpoint({
  method: 'PUT',
  path: '/Inbox/choose',
  summary: 'Choose how to be told of one kind.',
  needs: 'session',
  body: exact({ kind: InboxKind, choice: InboxChoice }),
  answer: InboxSettings,
  renews: listChoices,
})
