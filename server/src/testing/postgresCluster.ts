import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface PostgresCluster {
  readonly url: string
  /** Stops all of its processes where they are, as a machine without processors or a dead disk does. */
  freeze(): void
  thaw(): void
  /** Ends all of its processes at once, and writes nothing more. */
  crash(): void
  /** After a crash: as what it was before. */
  restart(): void
  /** A standby takes writes from now on. */
  promote(): void
  close(): void
}

export async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/**
 * A PostgreSQL of its own, by Debian's package; as root it runs as the package's user. With `primary` a standby of it,
 * which has what the primary has answered for; `isLate` for one that the primary does not wait for.
 */
export async function startPostgresCluster(primary?: PostgresCluster, isLate = false): Promise<PostgresCluster> {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql postgresql-contrib')
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const run = (program: string, ...options: string[]): void => {
    const [command = '', ...args] = [...asUser, join(bin, program), ...options]
    execFileSync(command, args, { stdio: 'ignore', cwd: '/' })
  }
  const ask = (url: string, ...statements: string[]): void =>
    run('psql', '-d', url, ...statements.flatMap((statement) => ['-c', statement]))
  // The folder of the tests is closed to other users, and PostgreSQL does not run as root.
  const folder = mkdtempSync('/tmp/dmp-postgres-')
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (asUser.length > 0) {
    const [, , uid, gid] = /^postgres:[^\n]*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? []
    chownSync(data, Number(uid), Number(gid))
  }
  if (primary) run('pg_basebackup', '-d', primary.url, '-D', data, '-R', '-c', 'fast')
  else run('initdb', '-D', data, '-U', 'dmp', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8')
  const port = await findPort()
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`
  const start = (): void => run('pg_ctl', '-D', data, '-w', '-s', '-l', join(data, 'log'), '-o', settings, 'start')
  start()
  // Written after the copy was made: a standby that is promoted waits for nobody.
  if (primary && !isLate)
    ask(primary.url, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
  const signal = (name: NodeJS.Signals): void => {
    const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    const children = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' })
    for (const pid of [postmaster, ...children.trim().split('\n').map(Number)]) {
      try {
        process.kill(pid, name)
      } catch {
        // One that ended by itself meanwhile.
      }
    }
  }
  const crash = (): void => run('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop')
  return {
    url: `postgres://dmp@127.0.0.1:${port}/postgres`,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    crash,
    restart: start,
    promote: () => run('pg_ctl', '-D', data, '-w', '-s', 'promote'),
    close: () => {
      if (existsSync(join(data, 'postmaster.pid'))) {
        signal('SIGCONT')
        crash()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
