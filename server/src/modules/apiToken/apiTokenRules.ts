import { permissionsOfScope, type ApiToken, type ApiTokenDraft, type ScopeName } from '@dmp/contract/apiToken'
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
  { scopes, expireInDays, addresses }: Pick<ApiTokenDraft, 'scopes' | 'expireInDays' | 'addresses'>,
): string[] {
  const tooWide = findTooWide(policy, scopes)
  if (tooWide !== undefined)
    throw refuse(
      'scopes',
      tooWide === 'monitor'
        ? 'Only a super administrator makes API tokens for monitors: they can take a release back.'
        : `You may not ${tooWide} scans yourself, so an API token of yours may not.`,
    )
  if (expireInDays > settings.apiTokenMaxDays)
    throw refuse('expireInDays', `API tokens of this platform last ${settings.apiTokenMaxDays} days at most.`)
  const networks = addresses.map((address) => {
    const network = formatNetwork(address)
    if (network === undefined) throw refuse('addresses', `${address} is not an address or a network.`)
    return network
  })
  return [...new Set(networks)]
}

export const refuse = (path: string, message: string): Refusal =>
  new Refusal(400, 'INVALID', message, [{ path, message }])

/** What the record says of a token: everything but the secret. */
export const toSubject = ({ id, name, scopes, addresses, expiresDate }: ApiToken) => ({
  apiTokenId: id,
  name,
  scopes,
  addresses,
  expiresDate,
})
