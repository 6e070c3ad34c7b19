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
  close(): Promise<void>
}

/** What HAProxy says of a configuration; empty where it would start with it. */
export function findBalancerFault(file: string): string {
  if (!existsSync(program)) throw new Error('HAProxy is not installed: apt-get install haproxy')
  const { status, stderr } = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' })
  return status === 0 ? '' : stderr
}

/** HAProxy as the project configures it, before the servers at these ports. */
export async function startBalancer(ports: readonly [number, number]): Promise<Balancer> {
  const port = await findPort()
  const folder = mkdtempSync(join(tmpdir(), 'dmp-balancer-'))
  const file = join(folder, 'haproxy.cfg')
  const text = readFileSync(balancerFile, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('server-a:4000', `127.0.0.1:${ports[0]}`)
    .replace('server-b:4000', `127.0.0.1:${ports[1]}`)
  writeFileSync(file, text)
  const child = spawn(program, ['-f', file], { stdio: 'ignore' })
  const isOpen = (): Promise<boolean> =>
    new Promise((tried) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => (socket.destroy(), tried(true))).once('error', () => tried(false))
    })
  while (!(await isOpen())) {
    if (child.exitCode !== null) throw new Error(`HAProxy does not start: ${findBalancerFault(file)}`)
    await new Promise((again) => setTimeout(again, 50))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
