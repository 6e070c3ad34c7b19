import { permits, type Permission } from '@dmp/contract'
import { permissionsOfScope, type ScopeName } from '@dmp/contract/apiToken'
import { moduleIds, toPolicy } from '@dmp/contract/policy'
import type { FastifyRequest } from 'fastify'
import { sharedDate } from '../core/clock.ts'
import { basicCredential, bearerToken } from '../core/credential.ts'
import type { Viewer } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import type { Db } from '../db/client.ts'
import type { RecentReads } from '../db/recentReads.ts'
import { hasApiTokenPrefix, hashApiTokenSecret, isApiTokenSecret } from './apiTokenSecret.ts'
import { selectApiTokens } from './apiTokenStatus.ts'
import type { ApiTokenUses } from './apiTokenUses.ts'
import type { Keys } from './keys.ts'
import { isMachineAccessToken, verifyMachineAccessToken } from './machineAccessToken.ts'
import { isWithin } from '../core/networks.ts'
import type { RefusedAccess } from './refusedAccess.ts'

/** A machine that was let in. */
export interface Machine {
  readonly viewer: Viewer
  readonly scopes: readonly ScopeName[]
  /** When its API token ends by itself. */
  readonly expires: Date
}

export interface ApiTokens {
  /**
   * The machine whose API token the request carries: as Bearer, as the password of Basic, or as an access token that
   * was made for it. Undefined where it carries none. Throws 401 and 403.
   */
  findMachine(request: FastifyRequest): Promise<Machine | undefined>
  /** The machine that has this secret. Throws 401 and 403. */
  letIn(request: FastifyRequest, secret: string): Promise<Machine>
}

interface ApiTokenDependencies {
  readonly db: Db
  readonly recent: RecentReads
  readonly keys: Keys
  readonly uses: Pick<ApiTokenUses, 'used'>
  readonly refusedAccess: RefusedAccess
}

/**
 * Judges API tokens at each request anew: by what the database says of the token, its owner and the organization, and
 * by the address that the request comes from. News of any of them reach every server at once (`RecentReads`).
 */
export function createApiTokens({ db, recent, keys, uses, refusedAccess }: ApiTokenDependencies): ApiTokens {
  const judge = async (
    request: FastifyRequest,
    column: 'hash' | 'id',
    value: string,
    askedScopes?: readonly ScopeName[],
  ): Promise<Machine> => {
    const { row } = await recent.find(`api token ${column} ${value}`, () => readRow(db, column, value))
    if (!row) throw invalidToken()
    const machine = toMachine(row, askedScopes)
    const status = row.expires_date <= sharedDate() ? 'Expired' : row.status
    if (status !== 'Active') {
      refusedAccess(machine.viewer, request, `API token (${status.toLowerCase()})`)
      throw invalidToken()
    }
    if (row.addresses.length > 0 && !isWithin(row.addresses, request.ip)) {
      refusedAccess(machine.viewer, request, 'API token (from another address)')
      throw wrongAddress(request.ip)
    }
    uses.used(row.id, request.ip)
    return machine
  }

  const letIn = async (request: FastifyRequest, secret: string): Promise<Machine> => {
    if (!isApiTokenSecret(secret)) throw invalidToken()
    return judge(request, 'hash', hashApiTokenSecret(secret))
  }

  return {
    letIn,
    findMachine: async (request) => {
      const { authorization } = request.headers
      const password = basicCredential(authorization)?.password
      // A person's password opens nothing by Basic.
      if (password !== undefined) return letIn(request, password)
      const token = bearerToken(authorization)
      if (token === undefined) return undefined
      if (hasApiTokenPrefix(token)) return letIn(request, token)
      if (!isMachineAccessToken(token)) return undefined
      const claims = await verifyMachineAccessToken(keys, token)
      if (!claims) throw invalidToken()
      return judge(request, 'id', claims.apiTokenId, claims.scopes)
    },
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof selectApiTokens>['executeTakeFirstOrThrow']>>

const readRow = async (db: Db, column: 'hash' | 'id', value: string): Promise<{ readonly row: Row | undefined }> => ({
  row: await selectApiTokens(db).where(`api_tokens.${column}`, '=', value).executeTakeFirst(),
})

/** A viewer of its own kind: never more than the token's scopes, and of these never more than its owner may. */
function toMachine(row: Row, askedScopes: readonly ScopeName[] = row.scopes): Machine {
  const scopes = row.scopes.filter((scope) => askedScopes.includes(scope))
  const ownerPolicy = toPolicy(row.owner_role)
  const held = scopes.flatMap((scope) => permissionsOfScope[scope]).filter((needs) => permits(ownerPolicy, needs))
  return {
    scopes,
    expires: row.expires_date,
    viewer: {
      userId: row.id,
      ownerId: row.owner_id,
      parts: row.parts,
      previewers: row.previewers,
      email: '',
      fullName: row.name,
      organizationId: row.organization_id,
      role: 'service_user',
      policy: toMachinePolicy(held),
      isInternal: false,
      sessionId: row.id,
      isLimited: true,
    },
  }
}

const toMachinePolicy = (held: readonly Permission[]): Viewer['policy'] =>
  [...Map.groupBy(held, ({ module }) => module)].map(([module, permissions]) => ({
    moduleId: moduleIds[module],
    module,
    actions: permissions.map(({ action }) => action),
  }))

/** The same for unknown, ended, expired and suspended ones: a thief learns nothing. */
const invalidToken = (): Refusal =>
  new Refusal(
    401,
    'NOT_SIGNED_IN',
    'This API token is not valid: it is unknown, ended, expired or suspended. Ask an administrator for a new one.',
  )

const wrongAddress = (address: string): Refusal =>
  new Refusal(
    403,
    'WRONG_ADDRESS',
    `This API token may not be used from ${address}. Use it from a network that it names, or make one for this network.`,
  )
