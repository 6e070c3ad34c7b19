import type { apiToken } from '@dmp/contract'
import type { ApiTokenDraft } from '@dmp/contract/apiToken'
import { actionsOfScope } from '@dmp/contract/apiToken'
import { may, permits } from '@dmp/contract/endpoint'
import { sharedNow } from '../../core/clock.ts'
import type { Viewer } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createApiTokenSecret, hashApiTokenSecret, toHint } from '../../identity/apiTokenSecret.ts'
import { formatNetwork } from '../../identity/networks.ts'
import { getAccount } from '../account/account.repository.ts'
import { confirmPassword } from '../account/confirmPassword.ts'
import { createLoginThrottle } from '../account/loginThrottle.ts'
import { addApiToken, endApiToken, getApiToken, listApiTokens } from './apiToken.repository.ts'

const dayMs = 86_400_000

export const apiTokenHandlers = (deps: Dependencies): Handlers<typeof apiToken> => {
  const throttle = createLoginThrottle(deps.db, deps.keys)
  return {
    list: (input, { viewer }) => listApiTokens(deps.db, viewer, input),

    get: ({ id }, { viewer }) => getApiToken(deps.db, viewer, id),

    add: async (draft, context) => {
      const { viewer } = context
      const rules = judgeDraft(deps, viewer, draft)
      await confirmPassword(deps, throttle, await getAccount(deps.db, viewer.userId), 'password', draft.password)
      const secret = createApiTokenSecret()
      return deps.write(context, async ({ trx, audit }) => {
        const token = await addApiToken(trx, viewer, {
          ...rules,
          hash: hashApiTokenSecret(secret),
          hint: toHint(secret),
        })
        await audit({ event: 'ApiTokenAdded', subject: toSubject(token) })
        return { ...token, token: secret }
      })
    },

    end: ({ id }, context) =>
      deps.write(context, async ({ trx, audit, afterwards }) => {
        const { token, organizationId } = await endApiToken(trx, context.viewer, id)
        afterwards(() => deps.bus.publish({ kind: 'apiTokensEnded', tokenIds: [token.id] }))
        await audit({ event: 'ApiTokenEnded', organizationId, subject: toSubject(token) })
        return token
      }),
  }
}

/** What the record says of a token: everything but the secret. */
const toSubject = ({ id, name, scopes, addresses, expiresDate }: apiToken.ApiToken) => ({
  apiTokenId: id,
  name,
  scopes,
  addresses,
  expiresDate,
})

/** Nobody gives a machine what they may not do themselves. */
function judgeDraft({ settings }: Pick<Dependencies, 'settings'>, { policy }: Viewer, draft: ApiTokenDraft) {
  const { name, scopes, expireInDays, addresses } = draft
  const tooWide = scopes.find((scope) => actionsOfScope[scope].every((action) => !permits(policy, may('Scan', action))))
  if (tooWide !== undefined)
    throw refuse('scopes', `You may not ${tooWide} scans yourself, so an API token of yours may not.`)
  if (expireInDays > settings.apiTokenMaxDays)
    throw refuse('expireInDays', `API tokens of this platform last ${settings.apiTokenMaxDays} days at most.`)
  const networks = addresses.map((address) => {
    const network = formatNetwork(address)
    if (network === undefined) throw refuse('addresses', `${address} is not an address or a network.`)
    return network
  })
  return {
    name,
    scopes,
    addresses: [...new Set(networks)],
    expiresDate: new Date(sharedNow() + expireInDays * dayMs),
  }
}

const refuse = (path: string, message: string): Refusal => new Refusal(400, 'INVALID', message, [{ path, message }])
