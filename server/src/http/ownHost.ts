import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * In demo mode the passwords are public and the mailbox is open, so a page elsewhere must not get in by a name of its
 * own that it points at this machine (DNS rebinding). Production gives nothing to a name: its own origin is the
 * configured one, whatever the request says, and proxies and probes may use others.
 */
export function registerOwnHost(
  app: FastifyInstance,
  { isDemo, publicUrl }: Pick<Settings, 'isDemo' | 'publicUrl'>,
): void {
  if (!isDemo) return
  const ownNames = new Set([
    hostname().toLowerCase(),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ])
  // Not `request.host`: behind a trusted proxy that is a header which a page can set.
  app.addHook('onRequest', async ({ headers }) => {
    if (!isOwn(headers.host ?? '', ownNames))
      throw new Refusal(
        421,
        'WRONG_HOST',
        'This demo answers to localhost and to IP addresses. For another name, start it with DMP_PUBLIC_URL=http://<name>:<port>.',
      )
  })
}

/** Nobody can point an IP address or a name of this machine elsewhere. */
function isOwn(host: string, ownNames: ReadonlySet<string>): boolean {
  const address = `http://${host}`
  if (!URL.canParse(address)) return false
  const name = new URL(address).hostname.replace(/\.$/, '')
  return /(?:^|\.)localhost$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || ownNames.has(name)
}
