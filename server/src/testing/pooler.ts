import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findPort } from './postgresCluster.ts'

export interface Pooler {
  readonly url: string
  /** As an administrator or a crash does it: every connection through it is cut, and it takes new ones at once. */
  restart(): Promise<void>
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

const program = '/usr/sbin/pgbouncer'

/** PgBouncer before that PostgreSQL, by Debian's package: each transaction gets any of so few connections. */
export async function startPooler(directUrl: string, connections = 3): Promise<Pooler> {
  if (!existsSync(program)) throw new Error('PgBouncer is not installed: apt-get install pgbouncer')
  const { hostname, port, username, pathname } = new URL(directUrl)
  // PgBouncer does not run as root, and the folder of the tests is closed to other users.
  const folder = mkdtempSync('/tmp/dmp-pooler-')
  chmodSync(folder, 0o755)
  const listenPort = await findPort()
  const users = join(folder, 'users')
  writeFileSync(users, `"${username}" ""\n`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
postgres = host=${hostname} port=${port} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  )
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  let running = await launch([...asUser, program, file], listenPort)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = new Promise((exit) => running.once('exit', exit))
    running.kill(signal)
    await ended
  }
  const signal = (name: NodeJS.Signals): void => {
    if (asUser.length === 0) running.kill(name)
    // As root it is a child of what changes the user.
    else execFileSync('pkill', [`-${name.slice(3)}`, '-P', String(running.pid)])
  }
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}/postgres`,
    restart: async () => {
      await end('SIGTERM')
      running = await launch([...asUser, program, file], listenPort)
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    close: async () => {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function launch([command = '', ...args]: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(command, [...args], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`)
    await new Promise((again) => setTimeout(again, 50))
  }
  return child
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
