import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPooler, type Pooler } from '../../server/src/testing/pooler.ts'
import { findPort } from '../../server/src/testing/postgresCluster.ts'

/** Two PostgreSQLs of which Patroni makes one the primary, each with a PgBouncer before it, and etcd between them. */
export interface FailOver {
  /** All hosts, as `DATABASE_URL` and `DATABASE_DIRECT_URL` name them. */
  readonly pooledUrl: string
  readonly directUrl: string
  readonly poolers: readonly Pooler[]
  /** The name of the one that takes writes; empty while there is none. */
  primary(): Promise<string>
  /** One takes writes, and the other has everything that it has answered for. */
  isSettled(): Promise<boolean>
  /** Ends it with all of its processes and the Patroni above it, at once. */
  crash(name: string): void
  freeze(name: string): void
  thaw(name: string): void
  restart(name: string): void
  /** As before maintenance: the other one becomes the primary. */
  switchOver(from: string): Promise<void>
  close(): Promise<void>
}

const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', pgbouncer: '/usr/sbin/pgbouncer' }

/** What is missing here, with the cure; undefined where all of it is there. */
export function findMissing(): string | undefined {
  const isMissing = Object.values(programs).some((path) => !existsSync(path)) || !existsSync('/usr/sbin/haproxy')
  if (!isMissing && globSync('/usr/lib/postgresql/*/bin').length > 0) return undefined
  const packages = 'postgresql postgresql-contrib patroni etcd-server pgbouncer haproxy'
  return `This needs PostgreSQL, Patroni, etcd, PgBouncer and HAProxy. Install them: apt-get install ${packages}`
}

interface Member {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  readonly file: string
  process?: ChildProcess
}

export async function startFailOver(): Promise<FailOver> {
  // PostgreSQL does not run as root, and the folders of tests are closed to other users.
  const folder = mkdtempSync('/tmp/dmp-chaos-')
  chmodSync(folder, 0o755)
  const etcd = await startEtcd(folder)
  const members: Member[] = []
  for (const name of ['a', 'b']) members.push(await writeMember(folder, name, etcd.port))
  const start = (member: Member): void => {
    const [command = '', ...args] = [...asPostgres, programs.patroni, member.file]
    member.process = spawn(command, args, { stdio: 'ignore', cwd: '/' })
  }
  const tell = (name: string, signal: string): void => {
    for (const pid of listProcesses(join(folder, name))) kill(pid, signal as NodeJS.Signals)
  }
  // Nothing that this process has started outlives a run that breaks off.
  process.once('exit', () => listProcesses(folder, process.pid).forEach((pid) => kill(pid, 'SIGKILL')))
  const find = (name: string): Member => members.find((member) => member.name === name) as Member
  const primary = async (): Promise<string> => {
    for (const { name, apiPort } of members) {
      const reply = await fetch(`http://127.0.0.1:${apiPort}/primary`, { signal: AbortSignal.timeout(1000) }).catch(
        () => undefined,
      )
      if (reply?.status === 200) return name
    }
    return ''
  }
  for (const member of members) {
    start(member)
    // The first one makes the database that the second one copies.
    await until(async () => isRunning(member.apiPort))
  }
  const poolers: Pooler[] = []
  for (const { port } of members) poolers.push(await startPooler(toUrl([port]), 20))
  return {
    pooledUrl: toUrl(poolers.map(({ url }) => Number(new URL(url).port))),
    directUrl: toUrl(members.map(({ port }) => port)),
    poolers,
    primary,
    isSettled: async () => {
      const reply = await fetch(`http://127.0.0.1:${members[0]?.apiPort}/cluster`).catch(() => undefined)
      const told = reply?.ok === true ? ((await reply.json()) as { members: { role: string }[] }).members : []
      return told.some(({ role }) => role === 'leader') && told.some(({ role }) => role === 'sync_standby')
    },
    crash: (name) => tell(name, 'SIGKILL'),
    freeze: (name) => tell(name, 'SIGSTOP'),
    thaw: (name) => tell(name, 'SIGCONT'),
    restart: (name) => start(find(name)),
    switchOver: async (from) => {
      const body = JSON.stringify({ leader: from })
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`http://127.0.0.1:${find(from).apiPort}/switchover`, { method: 'POST', headers, body })
      if (!reply.ok) throw new Error(`Patroni refused the switch-over: ${await reply.text()}`)
    },
    close: async () => {
      await Promise.all(poolers.map((pooler) => pooler.close()))
      for (const { name } of members) tell(name, 'SIGKILL')
      await etcd.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const toUrl = (ports: readonly number[]): string =>
  `postgres://dmp@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`

const isRoot = process.getuid?.() === 0
const asPostgres = isRoot ? ['runuser', '-u', 'postgres', '--'] : []

async function startEtcd(folder: string): Promise<{ port: number; close(): Promise<void> }> {
  const [port, peerPort] = [await findPort(), await findPort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const child = spawn(
    programs.etcd,
    [
      ['--name', 'one', '--data-dir', join(folder, 'etcd')],
      ['--listen-client-urls', client, '--advertise-client-urls', client],
      ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `one=${peer}`],
    ].flat(),
    { stdio: 'ignore' },
  )
  await until(async () => (await fetch(`${client}/health`).catch(() => undefined))?.ok === true)
  return {
    port,
    close: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * A commit is answered when the other one has it (`synchronous_mode`), so that whichever takes over has all that was
 * acknowledged. Times are short: this is about what happens then, not about when.
 */
async function writeMember(folder: string, name: string, etcdPort: number): Promise<Member> {
  const own = join(folder, name)
  mkdirSync(own, { mode: 0o700 })
  const [port, apiPort] = [await findPort(), await findPort()]
  const file = join(own, 'patroni.json')
  const trusted = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  writeFileSync(
    file,
    JSON.stringify({
      scope: 'dmp',
      name,
      restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 5,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(own, 'data'),
        bin_dir: bin,
        pgpass: join(own, 'pgpass'),
        authentication: { superuser: { username: 'dmp' }, replication: { username: 'replicator' } },
        parameters: { unix_socket_directories: own },
        pg_hba: trusted,
      },
    }),
  )
  if (isRoot) {
    const [, , uid, gid] = /^postgres:[^\n]*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? []
    for (const path of [own, file]) chownSync(path, Number(uid), Number(gid))
  }
  return { name, port, apiPort, file }
}

const isRunning = async (apiPort: number): Promise<boolean> => {
  const reply = await fetch(`http://127.0.0.1:${apiPort}/health`).catch(() => undefined)
  return reply?.status === 200
}

/** Those whose command line names the folder, or whose parent is the one named, and all below them. */
function listProcesses(folder: string, above?: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
  const all = lines.map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)).filter((found) => found !== null)
  const own = new Set(
    all
      .filter(([, , parent, args]) => Number(parent) === above || args?.includes(folder) === true)
      .map(([, pid]) => Number(pid)),
  )
  for (const [, pid, parent] of all) if (own.has(Number(parent))) own.add(Number(pid))
  return [...own]
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // One that ended by itself meanwhile.
  }
}

/** For two minutes at most. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); await pause(200))
    if (performance.now() > end) throw new Error('The databases of Patroni did not come up within two minutes.')
}
