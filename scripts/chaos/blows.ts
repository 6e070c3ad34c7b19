import { setTimeout as pause } from 'node:timers/promises'
import type { Server, World } from './world.ts'

/** Something that is taken away, and given back at the end. */
export interface Blow {
  readonly name: string
  readonly strike: (world: World) => Promise<void>
}

const second = 1000

/** Longer than any time-out between the parts, so that everybody gives up on what does not answer. */
const frozenMs = 12 * second

const restarted = async (server: Server | undefined, signal: NodeJS.Signals): Promise<void> => {
  if (!server) throw new Error('There is no such server.')
  server.signal(signal)
  const { code, errors } = await server.ended()
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`A server that was told to end ended with ${code}: ${errors}`)
  await pause(2 * second)
  await server.start()
}

const frozen = async (it: { freeze(): void; thaw(): void }, ms = frozenMs): Promise<void> => {
  it.freeze()
  await pause(ms)
  it.thaw()
}

/** Calls `take` with the primary's name; over when another one is the primary and both are in step again. */
async function failedOver({ databases }: World, take: (name: string) => Promise<void> | void): Promise<void> {
  const before = await databases.primary()
  await take(before)
  for (;;) {
    const now = await databases.primary()
    if (now !== '' && now !== before) break
    await pause(500)
  }
}

export const blows: readonly Blow[] = [
  { name: 'nothing', strike: () => pause(5 * second) },
  ...[0, 1, 2].map((nth) => ({
    name: `server ${nth + 1} is upgraded (SIGTERM, started again)`,
    strike: ({ servers }: World) => restarted(servers[nth], 'SIGTERM'),
  })),
  { name: 'a server is killed', strike: ({ servers }) => restarted(servers[0], 'SIGKILL') },
  {
    name: 'a server is frozen',
    strike: ({ servers }) =>
      frozen({ freeze: () => servers[1]?.signal('SIGSTOP'), thaw: () => servers[1]?.signal('SIGCONT') }),
  },
  {
    name: 'the poolers are restarted',
    strike: async ({ databases }) => {
      for (const pooler of databases.poolers) await pooler.restart()
    },
  },
  {
    name: 'the pooler of the primary is frozen',
    strike: async ({ databases }) => {
      const pooler = databases.poolers[(await databases.primary()) === 'a' ? 0 : 1]
      if (pooler) await frozen(pooler)
    },
  },
  {
    name: 'a fail-over is asked for',
    strike: (world) => failedOver(world, (name) => world.databases.switchOver(name)),
  },
  {
    name: 'the primary is killed',
    strike: async (world) => {
      let killed = ''
      await failedOver(world, (name) => world.databases.crash((killed = name)))
      world.databases.restart(killed)
    },
  },
  {
    name: 'the primary is frozen, and comes back after another took over',
    strike: async (world) => {
      let stopped = ''
      await failedOver(world, (name) => world.databases.freeze((stopped = name)))
      world.databases.thaw(stopped)
    },
  },
  {
    name: 'the bucket is killed',
    strike: async ({ bucket }) => {
      await bucket.crash()
      await pause(3 * second)
      await bucket.restart()
    },
  },
  { name: 'the bucket is frozen', strike: ({ bucket }) => frozen(bucket) },
  { name: 'the balancer is killed', strike: ({ balancer }) => balancer.restart() },
  { name: 'the balancer is frozen', strike: ({ balancer }) => frozen(balancer, 5 * second) },
  { name: 'a remote is released', strike: (world) => world.release() },
]

/** Until the next blow: everybody is back, and both databases are in step. */
export async function settle({ databases }: World): Promise<void> {
  for (const end = performance.now() + 120 * second; !(await databases.isSettled()); await pause(second))
    if (performance.now() > end) throw new Error('The two databases were not in step again within two minutes.')
  await pause(4 * second)
}
