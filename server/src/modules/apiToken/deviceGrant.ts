import { toPolicy } from '@dmp/contract/policy'
import type { FastifyRequest } from 'fastify'
import { toCaller } from '../../core/caller.ts'
import { Refusal } from '../../core/errors.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createApiTokenSecret, hashApiTokenSecret, toHint } from '../../identity/apiTokenSecret.ts'
import { addApiToken } from './apiToken.repository.ts'
import { findTooWide, toExpiry, toSubject } from './apiTokenRules.ts'
import { collectDevice, pollDevice, type DeviceRow } from './device.repository.ts'
import { getParameter, OAuthRefusal, type Parameters } from './oauth.ts'

/**
 * RFC 8628, 3.4: a machine asks what became of its code. Once a person has approved, it gets an API token, made at that
 * moment and told this once: nothing that opens anything waits in the database.
 */
export async function collectApiToken(
  deps: Dependencies,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<object> {
  const clientId = getParameter(parameters, 'client_id')
  const hash = deps.keys.digest('deviceCode', getParameter(parameters, 'device_code'))
  const polled = await pollDevice(deps.db, hash, clientId)
  if (!polled) throw invalidGrant()
  const { device, isOver, isEarly } = polled
  if (device.collected_date) throw invalidGrant()
  if (device.denied_date) throw new OAuthRefusal('access_denied', 'A person refused this machine.')
  if (isOver) throw new OAuthRefusal('expired_token', 'Nobody approved in time. Ask for a new code.')
  if (isEarly) throw new OAuthRefusal('slow_down', 'Wait five seconds longer between two questions.')
  const approval = toApproval(device)
  if (!approval) throw new OAuthRefusal('authorization_pending', 'Nobody has entered the code yet.')
  return handOut(deps, request, device, approval)
}

type Approval = NonNullable<ReturnType<typeof toApproval>>

function toApproval({ approver_id, organization_id, ...approved }: DeviceRow) {
  const { approved_name: name, approved_scopes: scopes, approved_addresses: addresses, approved_days: days } = approved
  if (!approver_id || !organization_id || name === null || !scopes || !addresses || days === null) return undefined
  return { owner: { userId: approver_id, organizationId: organization_id }, name, scopes, addresses, days }
}

/** As its owner, who answers for it; the record has the address that the machine fetched it from. */
async function handOut(deps: Dependencies, request: FastifyRequest, device: DeviceRow, approval: Approval) {
  const secret = createApiTokenSecret()
  const token = await deps
    .write({ viewer: approval.owner, request: toCaller(request) }, async (write) => {
      if (!(await collectDevice(write.trx, device.device_code_hash))) throw invalidGrant()
      const made = await addFor(write.trx, approval, secret)
      await write.audit({ event: 'ApiTokenAdded', subject: { ...toSubject(made), clientId: device.client_id } })
      return made
    })
    .catch((cause: unknown) => {
      // The name was given away meanwhile, or there are too many.
      throw cause instanceof Refusal && cause.status === 409 ? new OAuthRefusal('access_denied', cause.message) : cause
    })
  const seconds = Math.floor((Date.parse(token.expiresDate) - Date.parse(token.createdDate)) / 1000)
  return {
    access_token: secret,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: token.scopes.join(' '),
    name: token.name,
    organization: token.organization,
  }
}

/** What was approved, if whoever approved it still may. */
async function addFor(trx: Write['trx'], { owner, name, scopes, addresses, days }: Approval, secret: string) {
  const token = await addApiToken(trx, owner, {
    name,
    scopes,
    addresses,
    expiresDate: toExpiry(days),
    hash: hashApiTokenSecret(secret),
    hint: toHint(secret),
  })
  const { role } = await trx.selectFrom('users').select('role').where('id', '=', owner.userId).executeTakeFirstOrThrow()
  if (token.status !== 'Active' || findTooWide(toPolicy(role), scopes) !== undefined)
    throw new OAuthRefusal('access_denied', 'Whoever approved this machine may not do so any more.')
  return token
}

const invalidGrant = (): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'This device code is unknown, of another client, or used already.')
