import { timeZoneHeader } from '@dmp/contract/fields'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basicCredential, bearerToken } from './credential.ts'
import { findLanguage } from './languages.ts'
import type { Caller, CookieName, Cookies, Viewer } from './context.ts'

/** Set by the contract routes and by `authenticate`. */
declare module 'fastify' {
  interface FastifyRequest {
    viewer?: Viewer | undefined
  }
}

/** Opens scans to the image viewer of a launch. */
export const launchCookie = 'dmp-launch'
/** Over HTTPS: bound to paths, it cannot promise to be the host's own, but to have come over HTTPS. */
const secureLaunchCookie = `__Secure-${launchCookie}` as const

export const findLaunchCookie = ({ cookies }: Pick<FastifyRequest, 'cookies'>): string | undefined =>
  // Browsers hold the name without a prefix, of an earlier version, for eight hours.
  cookies[secureLaunchCookie] ?? cookies[launchCookie]

/**
 * The secret by which a request says who makes it: its token, or the cookie of a launch. However its header is spelled,
 * it is the same secret.
 */
export function findSecret(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return findLaunchCookie(request)
  return bearerToken(authorization) ?? basicCredential(authorization)?.password
}

/** The cookie of the visitor of a share link, below whose root the request reads; over HTTPS its name has a prefix. */
export function findVisit({ params, cookies }: FastifyRequest): string | undefined {
  const name = `dmp-share-${(params as { share?: string }).share}`
  return cookies[`__Host-${name}`] ?? cookies[name]
}

export function toCaller(request: FastifyRequest): Caller {
  const { headers } = request
  return {
    id: request.id,
    ip: request.ip,
    userAgent: String(headers['user-agent'] ?? '').slice(0, 300),
    isBrowser: headers.origin !== undefined || headers['sec-fetch-site'] !== undefined,
    language: findLanguage(headers['accept-language']),
    timeZone: headers[timeZoneHeader.toLowerCase()]?.toString(),
  }
}

/** What asks is no page of a browser, whose person signs in. */
export function isProgram(request: FastifyRequest): boolean {
  const { isBrowser, userAgent } = toCaller(request)
  return !isBrowser && !userAgent.startsWith('Mozilla/')
}

/** The launch of the image viewer asks for the binding, too (7.42). */
const forPages: ReadonlySet<CookieName> = new Set(['dmp-overrides', 'dmp-audience', 'dmp-binding'])
const isForPages = (name: CookieName): boolean => forPages.has(name) || name.startsWith('dmp-share-')
/** Where an earlier version kept the binding over HTTP; a cookie left there would hide the one for pages. */
const previousBindingPath = '/api/account'

/** Names under which an earlier version wrote a cookie; browsers may hold `dmp-ring` for 30 days. */
const previousNames: Partial<Record<CookieName, string>> = { 'dmp-audience': 'dmp-ring' }

interface CookieSettings {
  readonly settings: { readonly publicUrl: string | undefined }
}

const isServedSecurely = ({ publicUrl }: CookieSettings['settings']): boolean =>
  publicUrl?.startsWith('https:') ?? false

/** The name under which a browser keeps the cookie. */
export const toCookieName = (settings: CookieSettings['settings'], name: string): string =>
  isServedSecurely(settings) ? `__Host-${name}` : name

export const toLaunchCookieName = (settings: CookieSettings['settings']): string =>
  isServedSecurely(settings) ? secureLaunchCookie : launchCookie

function createCookieNames(request: FastifyRequest, { settings }: CookieSettings) {
  const isSecure = isServedSecurely(settings)
  const toSentName = (name: string): string => toCookieName(settings, name)
  const findPrevious = (name: CookieName): string | undefined => {
    const previousName = previousNames[name] === undefined ? undefined : toSentName(previousNames[name])
    return previousName !== undefined && request.cookies[previousName] !== undefined ? previousName : undefined
  }
  const read = (name: CookieName): string | undefined =>
    request.cookies[toSentName(name)] ?? request.cookies[findPrevious(name) ?? '']
  return { isSecure, toSentName, findPrevious, read }
}

/** The same cookies for those who only read them. */
export const createCookieReader = (request: FastifyRequest, deps: CookieSettings): Pick<Cookies, 'read'> => ({
  read: createCookieNames(request, deps).read,
})

/**
 * The session's cookies: HttpOnly, and never sent across sites. Over HTTPS their names promise the browser that they
 * are this host's own; in the demo over HTTP such a name would be refused, and the path keeps them to the account
 * calls.
 */
export function createCookies(request: FastifyRequest, reply: FastifyReply, { settings }: CookieSettings): Cookies {
  const { isSecure, toSentName, findPrevious, read } = createCookieNames(request, { settings })
  const options = (name: CookieName) => ({
    path: isSecure || isForPages(name) ? '/' : '/api/account',
    httpOnly: true,
    // A link in a mail opens a page from elsewhere; this cookie only chooses its releases.
    sameSite: name === 'dmp-audience' ? ('lax' as const) : ('strict' as const),
    secure: isSecure,
  })
  const clearPrevious = (name: CookieName): void => {
    const previousName = findPrevious(name)
    if (previousName !== undefined) void reply.clearCookie(previousName, options(name))
    if (name === 'dmp-binding' && !isSecure && request.cookies[name] !== undefined)
      void reply.clearCookie(name, { ...options(name), path: previousBindingPath })
  }
  return {
    read,
    set: (name, value, seconds) => {
      clearPrevious(name)
      void reply.setCookie(toSentName(name), value, { ...options(name), maxAge: Math.ceil(seconds) })
    },
    clear: (name) => {
      clearPrevious(name)
      void reply.clearCookie(toSentName(name), options(name))
    },
  }
}
