import type { ApiToken } from '@dmp/contract/apiToken'
import type { Caller, Viewer } from '../../core/context.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endApiToken } from './apiToken.repository.ts'
import { toSubject } from './apiTokenRules.ts'

/** Ends one that the viewer may see, on every server, and records it. Throws 404, and 409 for one that has ended. */
export const endApiTokenOf = (
  { write }: Pick<Dependencies, 'write'>,
  context: { readonly viewer: Viewer; readonly request: Pick<Caller, 'id' | 'ip'> },
  id: string,
): Promise<ApiToken> =>
  write(context, async ({ trx, audit, announce }) => {
    const { token, organizationId } = await endApiToken(trx, context.viewer, id)
    await announce({ kind: 'apiTokensEnded', tokenIds: [token.id] })
    await audit({ event: 'ApiTokenEnded', organizationId, subject: toSubject(token) })
    return token
  })
