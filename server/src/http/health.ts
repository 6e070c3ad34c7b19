import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { forEverybody } from '../core/access.ts'

export interface ReadinessCheck {
  /** The name of the dependency in the refusal: "database". */
  readonly name: string
  check(): Promise<void>
}

const checkTimeoutMs = 3000
const options = { config: { limit: 'health', access: forEverybody } } as const

/** `/healthz`: the process is up. `/readyz`: its dependencies respond. */
export function registerHealth(app: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  app.get('/healthz', options, async () => ({ status: 'up' }))
  app.get('/readyz', options, async (request) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => ({
        name,
        isReady: await inTime(check, () => request.log.warn({ check: name }, 'not ready')),
      })),
    )
    const missingNames = results.filter((result) => !result.isReady).map((result) => result.name)
    if (missingNames.length > 0)
      throw new Refusal(503, 'NOT_READY', `Not ready: ${missingNames.join(', ')}.`, undefined, 2)
    return { status: 'ready' }
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
