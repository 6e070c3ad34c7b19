import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/**
 * Behind a proxy that is not trusted, everybody has one address: the wrong passwords of one person make all others
 * wait. The first request that shows it is warned about, once; the header itself may be anybody's invention and is not
 * logged.
 */
export function registerForwardedFor(app: FastifyInstance, { trustProxy }: Pick<Settings, 'trustProxy'>): void {
  let isSaid = false
  app.addHook('onRequest', async ({ headers, log }) => {
    const header = headers['x-forwarded-for']
    if (isSaid || header === undefined) return
    const named = String(header).split(',').length
    if (named <= trustProxy) return
    isSaid = true
    log.warn(
      { named, trusted: trustProxy },
      'X-Forwarded-For names more addresses than DMP_TRUST_PROXY trusts. If proxies stand before this server, set ' +
        'DMP_TRUST_PROXY to their number: until then their people count as one address and share its limits.',
    )
  })
}
