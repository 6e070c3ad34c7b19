import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, CookieName, Cookies, Viewer } from './context.ts'

/** Set by the contract routes and by `authenticate`. */
declare module 'fastify' {
  interface FastifyRequest {
    viewer?: Viewer | undefined
  }
}

export function toCaller(request: FastifyRequest): Caller {
  const { headers } = request
  return {
    id: request.id,
    ip: request.ip,
    userAgent: String(headers['user-agent'] ?? '').slice(0, 300),
    isBrowser: headers.origin !== undefined || headers['sec-fetch-site'] !== undefined,
  }
}

const forPages: ReadonlySet<CookieName> = new Set(['dmp-overrides', 'dmp-ring'])

/**
 * The session's cookies: HttpOnly, and never sent across sites. Over HTTPS their names promise the browser that they
 * are this host's own; in the demo over HTTP such a name would be refused, and the path keeps them to the account
 * calls.
 */
export function createCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  { settings }: { settings: { publicUrl: string | undefined } },
): Cookies {
  const isSecure = settings.publicUrl?.startsWith('https:') ?? false
  const named = (name: CookieName): string => (isSecure ? `__Host-${name}` : name)
  const options = (name: CookieName) => ({
    path: isSecure || forPages.has(name) ? '/' : '/api/account',
    httpOnly: true,
    // A page may be opened from elsewhere, such as by a link in a mail; whose it is only chooses releases.
    sameSite: name === 'dmp-ring' ? ('lax' as const) : ('strict' as const),
    secure: isSecure,
  })
  return {
    read: (name) => request.cookies[named(name)],
    set: (name, value, seconds) =>
      void reply.setCookie(named(name), value, { ...options(name), maxAge: Math.ceil(seconds) }),
    clear: (name) => void reply.clearCookie(named(name), options(name)),
  }
}
