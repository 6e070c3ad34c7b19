import type { apiToken } from '@dmp/contract'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createApiTokenSecret, hashApiTokenSecret, toHint } from '../../identity/apiTokenSecret.ts'
import { getAccount } from '../account/account.repository.ts'
import { confirmPassword } from '../account/confirmPassword.ts'
import { createLoginThrottle } from '../account/loginThrottle.ts'
import { addApiToken, getApiToken, listApiTokens } from './apiToken.repository.ts'
import { assertAccounts, judgeDraft, toExpiry, toSubject } from './apiTokenRules.ts'
import { deviceHandlers } from './device.handlers.ts'
import { endApiTokenOf } from './endApiTokenOf.ts'

export const apiTokenHandlers = (deps: Dependencies): Handlers<typeof apiToken> => {
  const throttle = createLoginThrottle(deps.db, deps.keys)
  return {
    list: (input, { viewer }) => listApiTokens(deps.db, viewer, input),

    get: ({ id }, { viewer }) => getApiToken(deps.db, viewer, id),

    add: async (draft, context) => {
      const { viewer } = context
      const { name, scopes, expireInDays, parts, previewers } = draft
      const addresses = judgeDraft(deps, viewer.policy, draft)
      await assertAccounts(deps.db, previewers, 'previewers')
      await confirmPassword(deps, throttle, await getAccount(deps.db, viewer.userId), 'password', draft.password)
      const secret = createApiTokenSecret()
      return deps.write(context, async ({ trx, audit }) => {
        const token = await addApiToken(trx, viewer, {
          name,
          scopes,
          addresses,
          parts,
          previewers,
          expiresDate: toExpiry(expireInDays),
          hash: hashApiTokenSecret(secret),
          hint: toHint(secret),
        })
        await audit({ event: 'ApiTokenAdded', subject: toSubject(token) })
        return { ...token, token: secret }
      })
    },

    end: ({ id }, context) => endApiTokenOf(deps, context, id),

    ...deviceHandlers(deps, throttle),
  }
}
