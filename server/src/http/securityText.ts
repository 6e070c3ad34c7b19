import type { FastifyInstance } from 'fastify'
import { forEverybody } from '../core/access.ts'
import { notFound } from '../core/errors.ts'
import type { Settings } from '../settings/settings.ts'

const url = '/.well-known/security.txt'
/** RFC 9116 recommends less than a year. */
const validDays = 180

/**
 * Where to report a vulnerability of this installation (RFC 9116); not there until its operator names a contact. Each
 * answer is valid from today on, so the file never goes stale by itself.
 */
export function registerSecurityText(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Settings, 'securityContact' | 'publicUrl'>,
): void {
  app.get(url, { config: { limit: 'documentation', access: forEverybody } }, async (_request, reply) => {
    if (securityContact === undefined) throw notFound()
    const expires = new Date(Date.now() + validDays * 86_400_000)
    expires.setUTCHours(0, 0, 0, 0)
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${new URL(url, publicUrl).href}`]),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
