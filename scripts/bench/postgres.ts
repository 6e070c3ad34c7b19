import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface Cluster {
  readonly url: string
  /** The process above all others. */
  readonly pid: number
  /** Of all its processes: each its own pages, and a share of those that several use. */
  memoryMb(): number
  stop(): void
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/**
 * PostgreSQL as its package brings it, with the settings it brings, in a folder of its own. It refuses to run as root.
 */
export async function startPostgres(folder: string): Promise<Cluster> {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql postgresql-contrib')
  const isRoot = process.getuid?.() === 0
  const run = (program: string, ...options: string[]): string =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', join(bin, program), ...options], {
          stdio: ['ignore', 'pipe', 'ignore'],
          encoding: 'utf8',
        })
      : execFileSync(join(bin, program), options, { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' })
  chmodSync(folder, 0o755)
  const data = join(folder, 'postgres')
  mkdirSync(data)
  if (isRoot) execFileSync('chown', ['postgres', data])
  run('initdb', '-D', data, '-U', 'dmp', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8')
  const port = await freePort()
  run(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-s',
    '-l',
    join(data, 'log'),
    '-o',
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`,
    'start',
  )
  run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'dmp', 'bench')
  const first = execFileSync('head', ['-1', join(data, 'postmaster.pid')], { encoding: 'utf8' }).trim()
  return {
    url: `postgres://dmp@127.0.0.1:${port}/bench`,
    pid: Number(first),
    memoryMb: () => proportionalMb(first) + listChildren(first).reduce((sum, pid) => sum + proportionalMb(pid), 0),
    stop: () => void run('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop'),
  }
}

function listChildren(pid: string): string[] {
  return execFileSync('pgrep', ['-P', pid], { encoding: 'utf8' }).trim().split('\n')
}

/** Shared pages counted in shares, so that the processes of one program can be added. */
export function proportionalMb(pid: string | number): number {
  const rollup = execFileSync('cat', [`/proc/${pid}/smaps_rollup`], { encoding: 'utf8' })
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}
