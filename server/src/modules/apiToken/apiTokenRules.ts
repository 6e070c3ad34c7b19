import {
  isReleaseScope,
  permissionsOfScope,
  type ApiToken,
  type ApiTokenDraft,
  type ScopeName,
} from '@dmp/contract/apiToken'
import { permits, type Policy } from '@dmp/contract/endpoint'
import { sql } from 'kysely'
import { sharedNow } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { Source } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { formatNetwork } from '../../core/networks.ts'

const dayMs = 86_400_000

export const toExpiry = (days: number): Date => new Date(sharedNow() + days * dayMs)

/** A scope of which the policy holds nothing. */
export const findTooWide = (policy: Policy, scopes: readonly ScopeName[]): ScopeName | undefined =>
  scopes.find((scope) => permissionsOfScope[scope].every((permission) => !permits(policy, permission)))

/** Nobody gives a machine what they may not do themselves. Returns the networks as they are stored. */
export function judgeDraft(
  { settings }: Pick<Dependencies, 'settings'>,
  policy: Policy,
  { scopes, expireInDays, addresses, parts, previewers }: Omit<ApiTokenDraft, 'name' | 'password'>,
): string[] {
  const tooWide = findTooWide(policy, scopes)
  if (tooWide !== undefined) throw refuse('scopes', sayTooWide(tooWide))
  judgeParts(scopes, parts)
  if (previewers.length > 0 && !scopes.includes('preview'))
    throw refuse('previewers', 'Only an API token with the scope "preview" names people who may open previews.')
  if (expireInDays > settings.apiTokenMaxDays)
    throw refuse('expireInDays', `API tokens of this platform last ${settings.apiTokenMaxDays} days at most.`)
  const networks = addresses.map((address) => {
    const network = formatNetwork(address)
    if (network === undefined) throw refuse('addresses', `${address} is not an address or a network.`)
    return network
  })
  return [...new Set(networks)]
}

function sayTooWide(tooWide: ScopeName): string {
  if (tooWide === 'monitor')
    return 'Only a super administrator makes API tokens for monitors: they can take a release back.'
  return isReleaseScope(tooWide)
    ? 'Only a super administrator makes API tokens for releases: they change what everybody gets.'
    : `You may not ${tooWide} scans yourself, so an API token of yours may not.`
}

/** Throws where nobody signs in with one of these addresses: whoever gets it one day would be let in by accident. */
export async function assertAccounts(db: Source, emails: readonly string[], path: string): Promise<void> {
  if (emails.length === 0) return
  const rows = await db
    .selectFrom('users')
    .select(sql<string>`lower(email)`.as('email'))
    .where(sql<string>`lower(email)`, 'in', [...emails])
    .where('status', '=', 'Activated')
    .execute()
  const known = new Set(rows.map(({ email }) => email))
  const unknown = emails.find((email) => !known.has(email))
  if (unknown !== undefined) throw refuse(path, `Nobody signs in with ${unknown}. Name accounts that are activated.`)
}

/** A token for releases is for the parts that it names and for nothing else; any other names none. */
function judgeParts(scopes: readonly ScopeName[], parts: readonly string[]): void {
  const forReleases = scopes.filter(isReleaseScope)
  if (forReleases.length > 0 && forReleases.length < scopes.length)
    throw refuse('scopes', 'Make one API token for releases, and another one for everything else.')
  if (forReleases.length > 0 && parts.length === 0)
    throw refuse('parts', 'Name the parts that it is for, such as remote-report.')
  if (forReleases.length === 0 && parts.length > 0) throw refuse('parts', 'Only an API token for releases names parts.')
  if (forReleases.length === 1 && forReleases[0] === 'unchecked')
    throw refuse('scopes', 'Without the trial only goes what may go live: choose activate or canary as well.')
}

export const refuse = (path: string, message: string): Refusal =>
  new Refusal(400, 'INVALID', message, [{ path, message }])

/** What the record says of a token: everything but the secret. */
export const toSubject = ({ id, name, scopes, addresses, parts = [], previewers = [], expiresDate }: ApiToken) => ({
  apiTokenId: id,
  name,
  scopes,
  addresses,
  ...(parts.length === 0 ? {} : { parts }),
  ...(previewers.length === 0 ? {} : { previewers }),
  expiresDate,
})
