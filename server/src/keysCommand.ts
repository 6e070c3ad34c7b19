import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Server } from './app.ts'
import { StartFailure } from './core/StartFailure.ts'
import { encryptScans } from './modules/scan/encryption/encryptScans.ts'
import { MasterKeyError } from './outside/encryption/masterKey.ts'
import { ObjectStoreError } from './outside/objectStore.ts'

export const keysUsage = `  npm run admin -- keys list
      lists the data keys of every organization, and how much each encrypts
  npm run admin -- keys encrypt [--organization North-Clinic] [--pace 50]
      encrypts what is still in the clear or under a retired key, at most so many megabytes per second;
      it can be stopped and started again
  npm run admin -- keys rotate --organization North-Clinic
      gives an organization a new data key for what is new; run keys encrypt for the rest
  npm run admin -- keys rotate --master
      wraps every data key with the first master key; no object changes`

const megabyte = 2 ** 20
/** On PostgreSQL other servers may be sending the previous copy of an object. */
const removalDelaySeconds = 900

interface Organization {
  readonly id: string
  readonly name: string
}

/** `npm run admin -- keys …`: the arguments behind `keys`, of which a wrong one ends with `usage`. */
export function parseKeysCommand(args: string[], usage: string): (server: Server) => Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { organization: { type: 'string' }, master: { type: 'boolean' }, pace: { type: 'string' } },
  })
  const { organization, master: isMaster = false, pace } = values
  const [command, ...more] = positionals
  if (more.length > 0) throw new StartFailure(usage)
  if (command === 'list') return list
  if (command === 'rotate' && isMaster && organization === undefined) return rotateMaster
  if (command === 'rotate' && !isMaster && organization !== undefined)
    return (server) => rotateOrganization(server, organization)
  if (command !== 'encrypt') throw new StartFailure(usage)
  const megabytesPerSecond = pace === undefined ? Infinity : Number(pace)
  if (!(megabytesPerSecond > 0)) throw new StartFailure('--pace is a number of megabytes per second, such as 50.')
  return (server) => encrypt(server, organization, megabytesPerSecond * megabyte)
}

/** Without a master key only `list` makes sense. */
function assertOn({ deps }: Server): void {
  if (!deps.encryption.isOn)
    throw new StartFailure(
      'Encryption is off, because no master key is set. Make one with openssl rand -base64 32, keep a copy outside of this machine, and set DMP_ENCRYPTION_KEY.',
    )
}

async function list({ deps }: Server): Promise<string> {
  const { rows: counts } = await sql<{
    organization_id: string
    key_id: string | null
    instances: number
    bytes: string
  }>`
    select organization_id, key_id, count(*)::int as instances, sum(byte_size) as bytes
    from (select organization_id, key_id, byte_size from instances
      union all select organization_id, key_id, byte_size from bin_instances) kept group by 1, 2`.execute(deps.db)
  const keys = await deps.db.selectFrom('organization_keys').selectAll().orderBy('created_date', 'desc').execute()
  const say = (organizationId: string, keyId: string | null): string => {
    const found = counts.find((row) => row.organization_id === organizationId && row.key_id === keyId)
    return `${found?.instances ?? 0} objects, ${Math.ceil(Number(found?.bytes ?? 0) / megabyte)} MB`
  }
  const lines = [`Master keys: ${deps.encryption.masters.map(({ id }) => id).join(', ') || 'none; encryption is off'}`]
  for (const { id, name } of await listOrganizations(deps.db)) {
    lines.push('', name, `  in the clear: ${say(id, null)}`)
    for (const key of keys.filter((row) => row.organization_id === id))
      lines.push(
        `  ${key.id} (${key.retired_date ? 'retired' : 'current'}): ${say(id, key.id)}; made ${key.created_date.toISOString().slice(0, 10)}, wrapped by ${key.master}`,
      )
  }
  return lines.join('\n')
}

async function rotateMaster(server: Server): Promise<string> {
  assertOn(server)
  const { encryption } = server.deps
  const count = await inSentences(() => encryption.rewrap())
  return `${count} data keys were wrapped anew. All are wrapped by ${encryption.masters[0]?.id ?? ''} now: other master keys may go from the settings.`
}

async function rotateOrganization(server: Server, name: string): Promise<string> {
  assertOn(server)
  const organization = await findOrganization(server, name)
  const keyId = await inSentences(() => server.deps.encryption.add(organization.id, 'next'))
  return `${organization.name} has the data key ${keyId} now. It encrypts what is new; for the rest: npm run admin -- keys encrypt --organization ${JSON.stringify(organization.name)}`
}

async function encrypt(server: Server, name: string | undefined, bytesPerSecond: number): Promise<string> {
  assertOn(server)
  const { deps } = server
  const organizations = name === undefined ? await listOrganizations(deps.db) : [await findOrganization(server, name)]
  const lines: string[] = []
  let hasDamaged = false
  for (const { id, name } of organizations) {
    const summary = await inSentences(() =>
      encryptScans(deps, id, {
        bytesPerSecond,
        removalDelaySeconds: deps.database.pool ? removalDelaySeconds : 0,
        onProgress: (done) => void process.stdout.write(`${name}: ${done} objects encrypted\n`),
      }),
    )
    lines.push(`${name}: ${summary.instances} objects, ${Math.ceil(summary.bytes / megabyte)} MB encrypted.`)
    hasDamaged ||= summary.damaged.length > 0
    for (const key of summary.damaged) lines.push(`  not encrypted, because it is missing or damaged: ${key}`)
  }
  if (deps.database.pool)
    lines.push('A running server removes the previous copies within the hour, once nobody can still be reading them.')
  if (hasDamaged) throw new StartFailure(...lines, 'Restore the damaged objects from a backup and run this again.')
  return lines.join('\n')
}

const listOrganizations = (db: Server['deps']['db']): Promise<Organization[]> =>
  db.selectFrom('organizations').select(['id', 'name']).where('datastore_id', 'is not', null).orderBy('name').execute()

async function findOrganization({ deps }: Server, name: string): Promise<Organization> {
  const organizations = await listOrganizations(deps.db)
  const organization = organizations.find((row) => row.name.toLowerCase() === name.toLowerCase())
  if (organization) return organization
  throw new StartFailure(
    `No organization with a datastore is called ${name}. Choose one of: ${organizations.map((row) => row.name).join(', ')}.`,
  )
}

async function inSentences<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const reason = cause instanceof ObjectStoreError && cause.cause instanceof Error ? cause.cause : cause
    throw reason instanceof MasterKeyError || reason instanceof ObjectStoreError
      ? new StartFailure(reason.message)
      : cause
  }
}
