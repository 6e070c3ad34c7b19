import * as v from 'valibot'
import { endpoint, may, type ActionOf, type Permission } from './endpoint.ts'
import { Instant, Password, Uuid, atMost, exact, maybe, required } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'
import { Previewers } from './previewers.ts'
import { PartName } from './remote.ts'

const Text = v.string('Text.')

/** The steps of a release, each a scope of its own; a token for them names the parts that it is for. */
export const releaseScopes = ['publish', 'preview', 'canary', 'activate', 'rollback', 'unchecked'] as const
export type ReleaseScope = (typeof releaseScopes)[number]

/** What an API token may do, by the names of OAuth scopes. */
export const scopeNames = ['read', 'upload', 'delete', 'monitor', ...releaseScopes] as const
export const ScopeName = v.picklist(
  scopeNames,
  'This is not a scope: read, upload, delete or monitor; for releases publish, preview, canary, activate, rollback or unchecked.',
)
export type ScopeName = v.InferOutput<typeof ScopeName>

/** @deprecated since 1.9: `permissionsOfScope`. */
export const actionsOfScope: Readonly<Record<ScopeName, readonly ActionOf<'Scan'>[]>> = {
  read: ['List', 'Get', 'Download'],
  upload: ['Upload'],
  delete: ['Delete'],
  monitor: [],
  publish: [],
  preview: [],
  canary: [],
  activate: [],
  rollback: [],
  unchecked: [],
}

/** What a scope stands for. A token never gets more of it than its owner may. */
export const permissionsOfScope: Readonly<Record<ScopeName, readonly Permission[]>> = {
  read: [may('Scan', 'List'), may('Scan', 'Get'), may('Scan', 'Download')],
  upload: [may('Scan', 'Upload')],
  delete: [may('Scan', 'Delete')],
  monitor: [may('Release', 'Watch')],
  publish: [may('Release', 'Publish'), may('Release', 'Get')],
  // A preview is of a build that comes in with it.
  preview: [may('Release', 'Preview'), may('Release', 'Publish'), may('Release', 'Get')],
  canary: [may('Release', 'Canary'), may('Release', 'Get')],
  activate: [may('Release', 'Activate'), may('Release', 'Get')],
  rollback: [may('Release', 'Rollback'), may('Release', 'Get')],
  unchecked: [may('Release', 'Uncheck'), may('Release', 'Get')],
}

export const isReleaseScope = (scope: ScopeName): scope is ReleaseScope =>
  (releaseScopes as readonly string[]).includes(scope)

/** Suspended: its owner or the organization is deactivated, or may not have API tokens any more. */
export const statusNames = ['Active', 'Suspended', 'Expired', 'Ended'] as const
export const StatusName = v.picklist(statusNames, 'This is not a status of an API token.')
export type StatusName = v.InferOutput<typeof StatusName>

/**
 * A credential of a machine: opens DICOMweb, uploads and changes of one organization. The secret itself is never told
 * again.
 */
export const ApiToken = v.object({
  /** The client id for OAuth 2 client credentials, too. */
  id: Uuid,
  name: Text,
  status: StatusName,
  scopes: v.array(ScopeName, 'A list.'),
  organization: Text,
  /** Full name of the person who made it, and with whose rights it ends. */
  owner: Text,
  /** The last characters of the secret, to tell tokens apart. */
  hint: Text,
  /** Networks that it may be used from; empty for all. */
  addresses: v.array(Text, 'A list.'),
  /** The parts that a token for releases is for. Absent from servers before contract 1.10. */
  parts: v.optional(v.array(PartName, 'A list.')),
  /** Email addresses of those who may open the previews that it makes. Absent from servers before contract 1.11. */
  previewers: v.optional(v.array(Text, 'A list.')),
  createdDate: Instant,
  expiresDate: Instant,
  lastUsedDate: maybe(Instant),
  lastUsedAddress: maybe(Text),
  endedDate: maybe(Instant),
  /** Full name of the person who ended it. */
  endedBy: maybe(Text),
})
export type ApiToken = v.InferOutput<typeof ApiToken>

/** The answer to making one, and the only one that holds the secret. */
export const NewApiToken = v.object({ ...ApiToken.entries, token: Text })
export type NewApiToken = v.InferOutput<typeof NewApiToken>

const days = () => `Choose a whole number of days from 1 to ${limits.apiTokenMaxDays}.`
const network = () => 'Write an address or a network, such as 192.0.2.7, 10.20.0.0/16 or 2001:db8::/32.'

/** Addresses and networks (CIDR) that an API token may be used from; the server reads each of them once more. */
export const Networks = v.pipe(
  v.array(
    v.pipe(v.string(network), v.maxLength(49, network), v.regex(/^[0-9a-f.:]{2,45}(?:\/\d{1,3})?$/i, network)),
    'The addresses are a list.',
  ),
  v.maxLength(limits.apiTokenAddresses, `Name at most ${limits.apiTokenAddresses} addresses or networks.`),
)

/** What a machine is called, by people or by itself. */
export const MachineName = v.pipe(
  required(),
  v.trim(),
  v.nonEmpty('This field is required!'),
  v.maxLength(limits.apiTokenNameMaxChars, () => atMost(limits.apiTokenNameMaxChars)),
  // Written into the audit trail and lists: one line of text, whose letters nothing puts into another order.
  v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'Use one line of text.'),
)

/** The parts of the product that a token for releases is for. */
export const TokenParts = v.pipe(
  v.array(PartName, 'A list.'),
  v.maxLength(limits.apiTokenParts, `Name at most ${limits.apiTokenParts} parts.`),
  v.check((list) => new Set(list).size === list.length, 'Name each part once.'),
)

/** What a person decides about a new API token. */
export const ApiTokenDraft = exact({
  name: MachineName,
  scopes: v.pipe(
    v.array(ScopeName, 'The scopes are a list.'),
    v.minLength(1, 'Choose at least one scope.'),
    v.maxLength(scopeNames.length, 'Name each scope once.'),
    v.check((list) => new Set(list).size === list.length, 'Name each scope once.'),
  ),
  expireInDays: v.optional(
    v.pipe(v.number(days), v.integer(days), v.minValue(1, days), v.maxValue(limits.apiTokenMaxDays, days)),
    limits.apiTokenDefaultDays,
  ),
  addresses: v.optional(Networks, []),
  /** With scopes for releases at least one; with others none. */
  parts: v.optional(TokenParts, []),
  /** Accounts that may open the previews that it makes, besides super administrators; only with the scope `preview`. */
  previewers: v.optional(Previewers, []),
  /** The person's own: an open session alone must not make a secret that outlives it. */
  password: Password,
})
export type ApiTokenDraft = v.InferOutput<typeof ApiTokenDraft>

const sortable = ['name', 'status', 'owner', 'organization', 'expiresDate', 'lastUsedDate', 'createdDate'] as const

/** Those of the viewer's organization, ended ones too; the newest first. The provider's staff see all. */
export const list = endpoint({
  method: 'GET',
  path: '/ApiToken/list',
  summary: 'API tokens of the organization, without their secrets.',
  needs: may('ApiToken', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(ApiToken, 'A list.'),
  sortable,
})

export const get = endpoint({
  method: 'GET',
  path: '/ApiToken/get',
  summary: 'One API token, without its secret.',
  needs: may('ApiToken', 'Get'),
  query: exact({ id: Uuid }),
  answer: ApiToken,
})

/** In the viewer's own organization, and with no more rights than the viewer's. */
export const add = endpoint({
  method: 'POST',
  path: '/ApiToken/add',
  summary: 'Make an API token for a machine; the answer is the only one that holds the secret.',
  needs: may('ApiToken', 'Add'),
  body: ApiTokenDraft,
  answer: NewApiToken,
})

/** At once and on every server; it cannot be undone. */
export const end = endpoint({
  method: 'PUT',
  path: '/ApiToken/end/:id',
  summary: 'End an API token at once.',
  needs: may('ApiToken', 'End'),
  params: exact({ id: Uuid }),
  answer: ApiToken,
  renews: get,
})

/** The letters of user codes: no vowels, which make words, and none that looks like another (RFC 8628, 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
const userCode = () =>
  `The code has ${limits.userCodeChars} letters, such as BCDF-GHJK; A, E, I, O, U and Y are none of them.`

/** The code that a machine shows to people; blanks, hyphens and the case of letters do not count. */
export const UserCode = v.pipe(
  required(),
  v.nonEmpty('This field is required!'),
  v.maxLength(2 * limits.userCodeChars, userCode),
  v.transform((text) => text.replace(/[\s-]/g, '').toUpperCase()),
  v.regex(/^[B-DF-HJ-NP-TV-XZ]{8}$/, userCode),
)

/** A machine that asks for an API token by the device flow (RFC 8628), in its own words. */
export const Device = v.object({
  name: Text,
  /** The program, as it names itself. */
  clientId: Text,
  scopes: v.array(ScopeName, 'A list.'),
  /** Where it asked from, as the server saw it, and when. */
  address: Text,
  requestedDate: Instant,
  expiresDate: Instant,
})
export type Device = v.InferOutput<typeof Device>

/** Whoever has the code that the machine shows sees what it asks for. */
export const getDevice = endpoint({
  method: 'POST',
  path: '/ApiToken/getDevice',
  summary: 'The machine that shows this code, and what it asks for (RFC 8628).',
  needs: may('ApiToken', 'Add'),
  body: exact({ code: UserCode }),
  answer: Device,
})

export const DeviceApproval = exact({ code: UserCode, ...ApiTokenDraft.entries })
export type DeviceApproval = v.InferOutput<typeof DeviceApproval>

/** In the viewer's own organization; scopes are among those that the machine asked for and the viewer has. */
export const approveDevice = endpoint({
  method: 'POST',
  path: '/ApiToken/approveDevice',
  summary: 'Let the machine that shows this code have an API token, which it fetches itself.',
  needs: may('ApiToken', 'Add'),
  body: DeviceApproval,
})

export const denyDevice = endpoint({
  method: 'POST',
  path: '/ApiToken/denyDevice',
  summary: 'Refuse the machine that shows this code.',
  needs: may('ApiToken', 'Add'),
  body: exact({ code: UserCode }),
})
