import type { apiToken } from '@dmp/contract'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { getAccount } from '../account/account.repository.ts'
import { confirmPassword } from '../account/confirmPassword.ts'
import type { LoginThrottle } from '../account/loginThrottle.ts'
import { assertRoom } from './apiToken.repository.ts'
import { judgeDraft, refuse } from './apiTokenRules.ts'
import { approveDevice, denyDevice, findOpenDevice } from './device.repository.ts'

type DeviceHandlers = Pick<Handlers<typeof apiToken>, 'getDevice' | 'approveDevice' | 'denyDevice'>

/** A person reads the code of a machine, and lets it have an API token or not. */
export function deviceHandlers(deps: Dependencies, throttle: LoginThrottle): DeviceHandlers {
  const toHash = (code: string): string => deps.keys.digest('userCode', code)
  return {
    getDevice: async ({ code }) => {
      const device = await findOpenDevice(deps.db, toHash(code))
      if (!device) throw wrongCode()
      return {
        name: device.name,
        clientId: device.client_id,
        scopes: device.asked_scopes,
        address: device.address,
        requestedDate: device.created_date.toISOString(),
        expiresDate: device.expires_date.toISOString(),
      }
    },

    approveDevice: async ({ code, password, ...draft }, context) => {
      const { viewer } = context
      const device = await findOpenDevice(deps.db, toHash(code))
      if (!device) throw wrongCode()
      const unasked = draft.scopes.find((scope) => !device.asked_scopes.includes(scope))
      if (unasked !== undefined) throw refuse('scopes', `The machine did not ask for the scope ${unasked}.`)
      const addresses = judgeDraft(deps, viewer.policy, draft)
      await confirmPassword(deps, throttle, await getAccount(deps.db, viewer.userId), 'password', password)
      return deps.write(context, async ({ trx, audit }) => {
        await assertRoom(trx, viewer.organizationId, draft.name)
        if (!(await approveDevice(trx, toHash(code), viewer, { ...draft, addresses }))) throw wrongCode()
        const { name, scopes, expireInDays } = draft
        const from = device.address
        await audit({ event: 'DeviceApproved', subject: { name, scopes, addresses, expireInDays, from } })
        return null
      })
    },

    denyDevice: ({ code }, context) =>
      deps.write(context, async ({ trx, audit }) => {
        const device = await denyDevice(trx, toHash(code))
        if (!device) throw wrongCode()
        // The name is the machine's own words, which nobody has looked at.
        await audit({ event: 'DeviceDenied', subject: { scopes: device.asked_scopes, from: device.address } })
        return null
      }),
  }
}

/** The same for codes that were mistyped, are over, were denied, or used already. */
function wrongCode(): Refusal {
  const message =
    'No machine is waiting with this code. Compare it with what the machine shows; codes are good for ten minutes and once.'
  return new Refusal(400, 'WRONG_CODE', message, [{ path: 'code', message }])
}
