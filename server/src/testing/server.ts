import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Answer, Endpoint, Input, RoleName } from '@dmp/contract'
import { account } from '@dmp/contract'
import type { LoginTokens } from '@dmp/contract/account'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { pino } from 'pino'
import { makeServer, type Server } from '../app.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startHashingThreads, type HashingThreads } from '../identity/hashingThreads.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { watchCanaries } from './canaries.ts'
import { countServer, findLeftovers } from './leftovers.ts'
import { freshObjects } from './objects.ts'
import { freshDatabase, type Prepare } from './prepared.ts'
import { watchRecords } from './records.ts'
import { watchRemembered } from './remembered.ts'
import { toRequest } from './request.ts'
import { watchWakes } from './wakes.ts'

/** The response: `data` of a success, else the error envelope. */
export interface Reply<T> {
  readonly status: number
  readonly data: T
  readonly total: number | undefined
  readonly code: string | undefined
  readonly message: string | undefined
  readonly fields: readonly { path: string; message: string }[] | undefined
  readonly headers: Response['headers']
  readonly raw: Response
}

export type Data<E> = Answer<E> extends { readonly rows: infer Rows } ? Rows : Answer<E>
export type Call = <E extends Endpoint>(
  call: E,
  input: Input<E> | Record<string, unknown>,
  more?: InjectOptions,
) => Promise<Reply<Data<E>>>

export interface SignedIn {
  readonly tokens: LoginTokens
  readonly userId: string
  readonly headers: { readonly authorization: string }
  /** Calls as this user. */
  readonly call: Call
}

export interface TestServer extends Server {
  /** Everything that was logged. */
  readonly logs: string[]
  /** Calls without a session. */
  readonly call: Call
  /** As a role of the demo accounts (North-Clinic, or the provider), or as anybody by email. */
  signIn(who: RoleName | (string & {}), password?: string): Promise<SignedIn>
  /** The organization that the person belongs to. */
  organizationOf(who: SignedIn): Promise<string>
  /** The newest mail to the address, once it is there. */
  mailTo(
    address: string,
  ): Promise<{ subject: string; text: string; html: string; links: string[]; code: string | null }>
  /** SOP instance UIDs of all objects that its store holds. */
  heldObjects(): Promise<string[]>
  /** Starts listening on a free port and returns the address. */
  listen(): Promise<string>
}

/** Many tests start servers in which the same people sign in with the same password, which is verified once. */
const threads = startHashingThreads()
const verified = new Map<string, Promise<boolean>>()
const hashing: HashingThreads = {
  hash: threads.hash,
  verify: (password, hashed) => {
    const known = verified.get(`${hashed} ${password}`) ?? threads.verify(password, hashed)
    verified.set(`${hashed} ${password}`, known)
    return known
  },
  close: async () => undefined,
}

const emails: Readonly<Record<RoleName, string>> = {
  super_admin: 'super@dmp.example',
  sys_admin: 'sys@dmp.example',
  admin: 'admin@north.example',
  staff: 'staff@north.example',
  service_user: 'service@north.example',
}

/**
 * A whole server on a database of its own, in demo mode unless the variables say otherwise. Limits on the number of
 * calls are wide, so that tests of other things do not meet them: `{ DMP_LIMIT_FACTOR: '1' }` for those that want to.
 *
 * @example
 * const server = await startServer()
 * const admin = await server.signIn('admin')
 * const reply = await admin.call(organization.get, { id })
 */
export async function startServer(
  variables: Readonly<Record<string, string>> = {},
  /** Once there is the database that many tests begin with, and before there is the server. */
  whenPrepared: () => void = () => undefined,
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dmp-test-'))
  const objects = await freshObjects()
  const settings = testSettings(dataDir, { ...objects.variables, ...variables })
  const fresh = await freshDatabase(prepareWith(settings))
  whenPrepared()
  const logs: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (logs.push(chunk.toString()), done()) })
  const server = await makeServer(
    fresh.place.kind === 'postgres' ? { ...settings, databaseUrl: fresh.place.url } : settings,
    { place: fresh.place, hashing, log: pino({ level: settings.logLevel }, sink) },
  )

  countServer(server)
  const findUnwoken = watchWakes(server)
  const canaries = watchCanaries(server.app, logs)
  const remembered = watchRemembered(server)
  const findWrongRecords = watchRecords(server)

  const callWith = createCalls(server, remembered)
  const anybody = callWith({})

  return {
    ...server,
    logs,
    call: anybody,
    signIn: async (who, password = demoPassword) => {
      const email = Object.hasOwn(emails, who) ? emails[who as RoleName] : who
      const { status, data, message } = await anybody(account.login, { ClientId: settings.clientId, email, password })
      if (status !== 200 || !data.accessToken || !data.userId)
        throw new Error(`${email} was not signed in: ${status} ${message ?? data.challengeName ?? ''}`)
      remembered.add(data.accessToken, data.userId)
      const headers = { authorization: `Bearer ${data.accessToken}` }
      return { tokens: data, userId: data.userId, headers, call: callWith(headers) }
    },
    organizationOf: (who) => findOrganization(server, who),
    mailTo: (address) => findMail(server, address),
    heldObjects: () => objects.held(dataDir),
    listen: () => server.app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      // P23: over the whole suite, nothing secret that went through a server stands in its log.
      const leaks = await canaries.leaks(server.deps.db)
      const wrongRecords = await findWrongRecords()
      await server.close()
      const leftovers = [...findLeftovers(server), ...findUnwoken()]
      await fresh.drop()
      await objects.close()
      // A library that made a folder in passing looks once more whether it is there, behind whatever waits for the
      // disk: let it.
      for (let looks = 0; looks < 10; looks += 1) await stat(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
      refuseProblems({
        'The closed server left behind': leftovers,
        'The records are wrong': wrongRecords,
        'The server remembered': remembered.found,
        'The log holds what it must not': [...new Set(leaks)].slice(0, 10),
      })
    },
  }
}

/** A migrated and seeded database, from which those of tests are cloned. */
const prepareWith =
  (settings: Settings): Prepare =>
  async (place, take) => {
    const made = await makeServer({ ...settings, isDemo: true }, { place, log: pino({ level: 'silent' }) })
    const { embedded } = made.deps.database
    // Else each clone would write once more what its log says of every migration.
    await embedded?.exec('checkpoint')
    const written = await embedded?.query<{ segment: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as segment',
    )
    await take({
      dump: async () => (await embedded?.dumpDataDir?.('none')) ?? new Blob([]),
      segment: written?.rows[0]?.segment ?? '',
    })
    await made.close()
  }

function refuseProblems(problems: Readonly<Record<string, readonly string[]>>): void {
  for (const [title, lines] of Object.entries(problems))
    if (lines.length > 0) throw new Error(`${title}:\n${lines.join('\n')}`)
}

const testSettings = (dataDir: string, variables: Readonly<Record<string, string>>) =>
  readSettings({
    DMP_DEMO: '1',
    PORT: '0',
    DMP_HOST: '127.0.0.1',
    DMP_DATA_DIR: dataDir,
    DMP_LIMIT_FACTOR: '1000',
    DMP_LOG_LEVEL: 'debug',
    // However full the machine is that runs the tests.
    DMP_DISK_NOTICE_MB: '0',
    // Tests of transfers would wait a minute each.
    DMP_TRANSFER_DELAY_SECONDS: '0',
    // What tests damage is theirs to find.
    DMP_SCRUB_DAYS: '0',
    ...variables,
  })

const createCalls =
  ({ app }: Server, { during }: ReturnType<typeof watchRemembered>) =>
  (headers: Record<string, string>): Call =>
  (call, input, more = {}) =>
    during(call, async () =>
      toReply(await app.inject({ ...toRequest(call, input), ...more, headers: { ...headers, ...more.headers } })),
    )

async function findOrganization({ deps }: Server, { userId }: SignedIn): Promise<string> {
  const users = deps.db.selectFrom('users').select('organization_id').where('id', '=', userId)
  return (await users.executeTakeFirstOrThrow()).organization_id
}

async function findMail({ deps }: Server, address: string) {
  for (let tries = 0; tries < 100; tries += 1) {
    const mail = await deps.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', address)
      .orderBy('created_date', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (mail) return mail
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error(`No mail to ${address}`)
}

function toReply<T>(raw: Response): Reply<T> {
  const body = (raw.headers['content-type'] ?? '').toString().startsWith('application/json')
    ? (raw.json() as { data?: T; total?: number; code?: string; message?: string; fields?: Reply<T>['fields'] })
    : {}
  return {
    status: raw.statusCode,
    data: body.data as T,
    total: body.total,
    code: body.code,
    message: body.message,
    fields: body.fields,
    headers: raw.headers,
    raw,
  }
}
