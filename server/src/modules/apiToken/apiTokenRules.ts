import {
  isReleaseScope,
  permissionsOfScope,
  type ApiToken,
  type ApiTokenDraft,
  type ScopeName,
} from '@dmp/contract/apiToken'
import { permits, type Policy } from '@dmp/contract/endpoint'
import { sharedNow } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
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
  { scopes, expireInDays, addresses, parts }: Pick<ApiTokenDraft, 'scopes' | 'expireInDays' | 'addresses' | 'parts'>,
): string[] {
  const tooWide = findTooWide(policy, scopes)
  if (tooWide !== undefined) throw refuse('scopes', sayTooWide(tooWide))
  judgeParts(scopes, parts)
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
export const toSubject = ({ id, name, scopes, addresses, parts = [], expiresDate }: ApiToken) => ({
  apiTokenId: id,
  name,
  scopes,
  addresses,
  ...(parts.length === 0 ? {} : { parts }),
  expiresDate,
})
