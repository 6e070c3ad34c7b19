import os from 'node:os'
import type { LoginTokens } from '@dmp/contract/account'
import { readRefusal, toUnreachable, Unreachable, wrongHost } from './answer.ts'
import type { DeviceCookie } from './DeviceCookie.ts'
import { isOfThisMachine } from './settings.ts'
import { ownCodes } from './ownCodes.ts'
import { toProxyFault } from './proxy.ts'
import { exitCodes, Stop } from './stop.ts'
import { version } from './version.ts'

const clientId = 'dmp-uploader'
const answerWithinMs = 30_000
const renewBeforeMs = 60_000
const system = process.platform === 'win32' ? 'Windows' : process.platform === 'darwin' ? 'Mac OS X' : 'Linux'

/** How the uploader names itself; the list of sessions shows it as "Uploader on Windows". */
export const userAgent = `DMP-Uploader/${version} (${system} ${os.release()})`

/** What lets files in: a person's session, or a machine's API token. */
export interface Entry {
  /** Who sends, for people. */
  readonly name: string
  /** The last characters of an API token, where it is one. */
  readonly hint?: string
  /** A token that is good for the next call. Throws a Stop when the server does not let us in, Unreachable. */
  token(): Promise<string>
  /** As `token`, for who can wait: a server that is not there puts the work off. */
  ready(): Promise<
    { kind: 'ready'; token: string } | { kind: 'later'; reason: string; code?: string; isUnreachable?: boolean }
  >
  /** The server did not take this token. */
  reject(token: string): void
  signOut(): Promise<void>
}

/** For entries of every kind: a server that does not respond puts the work off. */
export async function readyOrLater(token: () => Promise<string>): ReturnType<Entry['ready']> {
  try {
    return { kind: 'ready', token: await token() }
  } catch (cause) {
    if (cause instanceof Unreachable)
      return { kind: 'later', reason: cause.message, ...(cause.isGone && { code: ownCodes.lost, isUnreachable: true }) }
    throw cause
  }
}

export interface Account {
  readonly server: URL
  readonly email: string
  readonly password: string
  /** Asks for the code that was mailed; undefined when no person is there to answer. */
  readonly askCode: (() => Promise<string>) | undefined
}

/** A signed-in service user. The password stays in memory, so that a long watch outlives the end of its tokens. */
export class Session implements Entry {
  readonly #account: Account
  readonly #device: DeviceCookie | undefined
  #tokens: LoginTokens | undefined
  #working: Promise<string> | undefined

  constructor(account: Account, device?: DeviceCookie) {
    this.#account = account
    this.#device = device
  }

  get name(): string {
    return this.#account.email
  }

  token(): Promise<string> {
    const { accessToken, expireDate } = this.#tokens ?? {}
    if (accessToken && Date.parse(expireDate ?? '') - Date.now() > renewBeforeMs) return Promise.resolve(accessToken)
    // Many files wait for the same new token: it is asked for once.
    this.#working ??= this.#enter().finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  ready(): ReturnType<Entry['ready']> {
    return readyOrLater(() => this.token())
  }

  /** The next one is asked for anew. */
  reject(token: string): void {
    if (this.#tokens?.accessToken === token) this.#tokens = { ...this.#tokens, accessToken: null }
  }

  async signOut(): Promise<void> {
    const refreshToken = this.#tokens?.refreshToken
    this.#tokens = undefined
    // Ending the session is polite, not needed: it ends by itself.
    if (refreshToken) await this.#post('logout', { refreshToken }).catch(() => undefined)
  }

  async #enter(): Promise<string> {
    this.#tokens = (await this.#renewed()) ?? (await this.#signedIn())
    const { accessToken } = this.#tokens
    if (!accessToken)
      throw new Stop('The server signed in without giving a token. Is this the right address?', exitCodes.notSignedIn)
    return accessToken
  }

  async #renewed(): Promise<LoginTokens | undefined> {
    const refreshToken = this.#tokens?.refreshToken
    if (!refreshToken) return undefined
    const response = await this.#post('renewToken', { clientId, refreshToken })
    return response.ok ? readData(response) : undefined
  }

  async #signedIn(): Promise<LoginTokens> {
    const { email, password } = this.#account
    const tokens = await this.#accepted(await this.#post('login', { ClientId: clientId, email, password }))
    if (tokens.challengeName === 'MFA') return this.#answerCode(tokens)
    // The only other challenge, whose spelling differs between versions of the server.
    if (tokens.challengeName)
      throw new Stop(
        `${email} still has the temporary password. Sign in to the product once in a browser and choose a new one.`,
        exitCodes.notSignedIn,
      )
    return tokens
  }

  async #answerCode({ session, userId }: LoginTokens): Promise<LoginTokens> {
    const { askCode, email } = this.#account
    if (askCode === undefined)
      throw new Stop(
        `${email} needs a mailed code to sign in, which the uploader cannot enter. Use a service user without MFA.`,
        exitCodes.notSignedIn,
      )
    return this.#accepted(
      await this.#post('respondToMFA', { clientId, session, userId, mfaCode: (await askCode()).trim() }),
    )
  }

  async #accepted(response: Response): Promise<LoginTokens> {
    if (response.ok) return readData(response)
    const refusal = await readRefusal(response)
    const { status, message } = refusal
    if (status >= 500) throw toUnreachable(refusal)
    if (status === 421) throw new Stop(wrongHost(response.url, message))
    if (status === 404)
      throw new Stop(`${this.#account.server.host} is not a Data Management Platform. Is this the right address?`)
    throw new Stop(`The server refused to sign ${this.#account.email} in: ${message}`, exitCodes.notSignedIn)
  }

  async #post(call: string, body: object): Promise<Response> {
    const { server } = this.#account
    const cookie = this.#device?.read()
    try {
      const response = await fetch(new URL(`/api/account/${call}`, server), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...(cookie !== undefined && { cookie }),
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      })
      this.#device?.keep(response.headers.getSetCookie())
      return response
    } catch (cause) {
      throw new Unreachable(toUnreached(server, cause), { cause })
    }
  }
}

async function readData(response: Response): Promise<LoginTokens> {
  const body = (await response.json().catch(() => undefined)) as { data?: LoginTokens } | undefined
  if (body?.data === undefined)
    throw new Stop('The server is not a Data Management Platform. Is this the right address?')
  return body.data
}

const untrusted = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/

/** Why a request did not come through, or a file was not read: a word that can be looked up, or a few. */
export function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no answer'
  if (cause.name === 'TimeoutError') return 'no answer in time'
  const { code, message } = (cause.cause ?? {}) as { code?: unknown; message?: unknown }
  if (message === 'unexpected redirect') return 'it sends on to another address: use that one'
  if (typeof code !== 'string' && cause.message !== fetchFailed) return cause.message
  if (typeof code !== 'string') return typeof message === 'string' && message !== '' ? message : 'no answer'
  if (!untrusted.test(code)) return code
  return `${code}: this machine does not trust its certificate; NODE_EXTRA_CA_CERTS names further authorities`
}

/** All that `fetch` says by itself. */
const fetchFailed = 'fetch failed'

/** Whether it is the line or the server that failed, not this machine. */
export const isOfLine = (cause: unknown): boolean =>
  cause instanceof Error && (cause.message === fetchFailed || cause.name === 'TimeoutError')

/** What OpenSSL says of an answer that is no TLS: a port that speaks http. */
const speaksHttp = (cause: unknown): boolean =>
  cause instanceof Error && (cause.cause as { code?: unknown } | undefined)?.code === 'ERR_SSL_WRONG_VERSION_NUMBER'

/** That a request did not come through, as a sentence; of an address that is wrong, what the right one is. */
export function toUnreached(server: URL, cause: unknown): string {
  const { host } = server
  const proxyFault = toProxyFault(server, cause)
  if (proxyFault !== undefined) return proxyFault
  if (!speaksHttp(cause)) return `${host} does not respond (${toReason(cause)}).`
  return isOfThisMachine(server)
    ? `${host} speaks http, not https. Write http://${host} as its address.`
    : `${host} speaks http, not https, and nothing is sent in the open. Ask its administrator for its https address.`
}

/** Why something was not sent, as a sentence that says to whom, and what to look at. */
export function toUnsent(server: URL, cause: unknown): string {
  if (!isOfLine(cause)) return toReason(cause)
  return speaksHttp(cause) ? toUnreached(server, cause) : `${toUnreached(server, cause)} Check the connection.`
}
