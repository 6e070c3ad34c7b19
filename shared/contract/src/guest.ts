import * as v from 'valibot'
import { observationKinds } from './releaseReport.ts'
import type { PolicyEntry } from './user.ts'
import type { Declaration } from './remote.ts'

/** What a guest sends at most, and what the page takes from it. */
export const guestLimits = {
  /** Characters of one message, written as JSON. */
  messageChars: 1_000_000,
  messagesPerTenSeconds: 300,
  callsAtOnce: 20,
  titleChars: 150,
  keyChars: 20,
  /** The page asks for a sign of life this often, and gives up on a guest that owes it this long. */
  pingMs: 3000,
  silentMs: 8000,
} as const

/**
 * Modules whose calls no guest makes, whatever it declares and whoever is signed in: they hand out access, send data
 * elsewhere, or decide what runs.
 */
const closedModules: ReadonlySet<string> = new Set([
  'account',
  'apitoken',
  'dicompartner',
  'email',
  'override',
  'release',
  'webhook',
])

/** The same, of modules whose other calls are open. */
const closedCalls: ReadonlySet<string> = new Set(
  [
    'businessUser/activateUser',
    'businessUser/add',
    'businessUser/resetTemporaryPassword',
    'businessUser/update',
    'Organization/downloadExport',
    'Organization/startExport',
    'Organization/startImport',
    'Organization/testMail',
    'Registration/approve',
    'Scan/decideHeld',
    'Scan/download',
    'Scan/openShared',
    'Scan/sendShareCode',
    'Scan/share',
    'Scan/transfer',
    'Scan/visitShared',
  ].map((call) => call.toLowerCase()),
)

/** Whether a guest may make the call at all: `GET /Complaint/list`. */
export const isOpenToGuests = (call: string): boolean => {
  const [, module = '', action = ''] = /^(?:GET|POST|PUT|DELETE) \/([A-Za-z]+)\/(\w+)(?:\/[\w/:]*)?$/.exec(call) ?? []
  if (module === '') return false
  return !closedModules.has(module.toLowerCase()) && !closedCalls.has(`${module}/${action}`.toLowerCase())
}

const Id = v.pipe(v.number('A number.'), v.integer('A whole number.'), v.minValue(1, 'A number.'))
const Text = v.string('Text.')
const short = (length: number) => v.pipe(Text, v.maxLength(length, 'Too long.'))
const Place = v.pipe(short(4000), v.regex(/^\/(?![/\\])/, 'Text.'))

/** A call of a guest: the parts of a request, by the name of the call. Where it goes is the page's matter. */
export const GuestCall = v.strictObject({
  id: Id,
  call: short(200),
  /** The path of the call with its parameters filled in. */
  path: Place,
  query: v.record(short(100), short(4000)),
  body: v.record(short(200), v.unknown()),
  seenUpdatedDate: v.optional(short(100)),
})
export type GuestCall = v.InferOutput<typeof GuestCall>

/** Everything that a guest says to the page; nothing else is heard. */
export const FromGuest = v.union([
  GuestCall,
  v.strictObject({ stop: Id }),
  v.strictObject({ go: Place, isReplacing: v.boolean('True or false.') }),
  v.strictObject({ title: short(guestLimits.titleChars) }),
  v.strictObject({ isUnsaved: v.boolean('True or false.') }),
  v.strictObject({ isActive: v.literal(true) }),
  /** One of the shell's keys was pressed in the frame. */
  v.strictObject({ key: short(guestLimits.keyChars) }),
  v.strictObject({ drawn: v.literal(true) }),
  v.strictObject({ failed: v.picklist(observationKinds, 'Text.') }),
  v.strictObject({ pong: Id }),
])
export type FromGuest = v.InferOutput<typeof FromGuest>

/** Who is at the page, without any token. */
export interface GuestUser {
  readonly email: string
  readonly fullName: string
  readonly role: string
  readonly roleDisplayName: string
  readonly organizationId: string
  readonly organization: string
  readonly policy: readonly PolicyEntry[]
}

/** The first message to a guest, which comes with the port: who is there, where, and what it says in this language. */
export interface GuestStart {
  readonly user: GuestUser | null
  readonly at: string
  /** The keys of the shell, which work in the frame as well. */
  readonly keys: readonly string[]
  /** Catalogues by part. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What the page says to a guest. */
export type ToGuest =
  /** Where the page is, having heard of so many steps of the guest; who has gone further since waits for the next. */
  | { readonly at: string; readonly after: number }
  | { readonly theme: string }
  /** The person's name, role or policy is another one now. */
  | { readonly user: GuestUser; readonly keys: readonly string[] }
  | { readonly ping: number }
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly refusal: GuestRefusal }

/** A refused call, as `CallError` has it. */
export interface GuestRefusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/** What a guest's page knows of itself (`#dmp-guest`). */
export interface GuestPage {
  readonly part: string
  /** The person's choices that a frame without storage cannot read: language, theme, density. */
  readonly preferences: Readonly<Record<string, string>>
}

/** The choices that the address of a guest's page may name. */
export const guestPreferences = ['language', 'theme', 'density'] as const

const toQuery = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** The address of the page that runs a release of a guest with the shared modules of a host's release. */
export const toGuestAddress = (
  part: string,
  releaseId: string,
  host: string,
  preferences: Readonly<Record<string, string>>,
): string => `/guest-frame/${part}/${releaseId}/${host}?${toQuery(preferences)}`

/** Whether a part is a guest: the registry says so, or its release asks for it. */
export const isGuest = (
  { name, trust }: Pick<Declaration, 'name' | 'trust'>,
  guests: readonly string[] = [],
): boolean => trust === 'guest' || guests.includes(name)
