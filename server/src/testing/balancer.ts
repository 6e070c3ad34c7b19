import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPort } from './postgresCluster.ts'

const program = '/usr/sbin/haproxy'
export const balancerFile = fileURLToPath(new URL('../../../deploy/haproxy.cfg', import.meta.url))

export interface Balancer {
  readonly url: string
  /** Ends at once, with every connection through it, and takes new ones at once. */
  restart(): Promise<void>
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** What HAProxy says of a configuration; empty where it would start with it. */
export function findBalancerFault(file: string): string {
  if (!existsSync(program)) throw new Error('HAProxy is not installed: apt-get install haproxy')
  const { status, stderr } = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' })
  return status === 0 ? '' : stderr
}

/** HAProxy as the project configures it, before the servers at these ports. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const port = await findPort()
  const folder = mkdtempSync(join(tmpdir(), 'dmp-balancer-'))
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((at, nth) => `    server server-${nth} 127.0.0.1:${at} check`).join('\n')
  const text = readFileSync(balancerFile, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/(?:^ {4}server .*\n)+/m, `${servers}\n`)
  writeFileSync(file, text)
  const isOpen = (): Promise<boolean> =>
    new Promise((tried) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => (socket.destroy(), tried(true))).once('error', () => tried(false))
    })
  const start = async () => {
    const started = spawn(program, ['-f', file], { stdio: 'ignore' })
    while (!(await isOpen())) {
      if (started.exitCode !== null) throw new Error(`HAProxy does not start: ${findBalancerFault(file)}`)
      await new Promise((again) => setTimeout(again, 50))
    }
    return started
  }
  let child = await start()
  const end = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => {
      await end()
      child = await start()
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    close: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
