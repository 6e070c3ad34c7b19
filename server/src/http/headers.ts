import type { FastifyInstance } from 'fastify'
import { closedPolicy } from '../core/contentSecurityPolicy.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The headers of every answer that does not say otherwise: nothing is stored, sniffed, framed, listed by search engines
 * (a link that somebody posted would be found by everybody), or readable by other origins.
 */
const byDefault = {
  'cache-control': 'no-store',
  'content-security-policy': closedPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

/** What an answer has that says nothing else: also one to an address that no route ever sees. */
export const toDefaultHeaders = ({ publicUrl }: Pick<Settings, 'publicUrl'>): Readonly<Record<string, string>> => ({
  ...byDefault,
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
})

export function registerHeaders(app: FastifyInstance, settings: Settings): void {
  const headers = Object.entries(toDefaultHeaders(settings))
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) void reply.header(name, value)
  })
}
