import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { forEverybody } from '../core/access.ts'
import { Stopping } from '../core/stopping.ts'
import { leaving } from './leaving.ts'

export interface ReadinessCheck {
  /** The name of the dependency in the refusal: "database". */
  readonly name: string
  check(): Promise<void>
}

/** What the operator should hear of although every dependency responds. */
export interface Concern {
  readonly sentence: string
  /** Something is refused because of it. */
  readonly limits: boolean
}
export type ListConcerns = () => Promise<readonly Concern[]>

const checkTimeoutMs = 3000
// A balancer asks each second: only what is wrong is worth a line of the log.
const options = { config: { limit: 'health', access: forEverybody }, logLevel: 'warn' } as const

/**
 * `/healthz`: the process is up. `/readyz`: its dependencies respond, and nobody told it to stop. A full disk is no
 * reason to take a server out of use: people still read and delete there. So it is told in the body, and the status
 * stays 200.
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly ReadinessCheck[],
  listConcerns: ListConcerns = async () => [],
  stopping: Stopping = new Stopping(),
): void {
  app.get('/healthz', options, async () => ({ status: 'up' }))
  app.get('/readyz', options, async (request) => {
    if (stopping.isAsked) throw leaving()
    const results = await Promise.all(
      checks.map(async ({ name, check }) => ({
        name,
        isReady: await inTime(check, () => request.log.warn({ check: name }, 'not ready')),
      })),
    )
    const missingNames = results.filter((result) => !result.isReady).map((result) => result.name)
    const concerns = await listConcerns()
    const warnings = concerns.map(({ sentence }) => sentence)
    if (missingNames.length > 0)
      throw new Refusal(
        503,
        'NOT_READY',
        [`Not ready: ${missingNames.join(', ')}.`, ...warnings].join(' '),
        undefined,
        2,
      )
    if (concerns.length === 0) return { status: 'ready' }
    return { status: concerns.some(({ limits }) => limits) ? 'limited' : 'ready', warnings }
  })
}

async function inTime(check: () => Promise<void>, onMiss: () => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), checkTimeoutMs)
  })
  try {
    await Promise.race([check(), late])
    return true
  } catch {
    onMiss()
    return false
  } finally {
    clearTimeout(timer)
  }
}
