import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { retryAfter, Unreachable } from './answer.ts'
import { toUnreached, userAgent } from './Session.ts'
import type { Code } from './Control.ts'
import { exitCodes, Stop } from './stop.ts'

const clientId = 'dmp-uploader'
const answerWithinMs = 30_000
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const nameMaxChars = 60

type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>

const rest: Pause = (ms, signal) => wait(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined)

/** What the server gave to this machine. */
export interface Connected {
  readonly apiToken: string
  readonly name: string
  readonly organization: string
  readonly expires: Date
}

type Told = Readonly<Record<string, unknown>>
interface Reply {
  readonly status: number
  readonly told: Told
  readonly retryAfterMs: number | undefined
}

/** A form, as OAuth wants it. Throws Unreachable. */
async function post(server: URL, door: string, form: Readonly<Record<string, string>>): Promise<Reply> {
  try {
    const response = await fetch(new URL(`/api/oauth/${door}`, server), {
      method: 'POST',
      headers: { 'user-agent': userAgent },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const told: unknown = await response.json().catch(() => undefined)
    return {
      status: response.status,
      told: typeof told === 'object' && told !== null ? (told as Told) : {},
      retryAfterMs: retryAfter(response),
    }
  } catch (cause) {
    throw new Unreachable(toUnreached(server, cause), { cause })
  }
}

const textOf = (told: Told, name: string): string => {
  const value = told[name]
  return typeof value === 'string' ? value : ''
}
const sentenceOf = ({ status, told }: Reply): string =>
  textOf(told, 'error_description') || textOf(told, 'message') || `The server responded with ${status}.`

interface Asking {
  readonly pause?: Pause
  readonly onCode?: (code: Code) => void
  readonly signal?: AbortSignal
  readonly isRenewal?: boolean
  /** As an administrator has named this machine before. */
  readonly earlierName?: string | undefined
}

/** Names of API tokens are unique, and the one before goes on until the new one is kept. */
function toName(isRenewal: boolean, earlierName: string | undefined): string {
  const when = isRenewal ? ` ${new Date().toISOString().slice(0, 10)}` : ''
  return `${(earlierName ?? (os.hostname() || 'Uploader')).slice(0, nameMaxChars - when.length)}${when}`
}

/**
 * The device flow (RFC 8628): shows a code, and asks until a person has decided. Throws a Stop that says why there is
 * no API token.
 */
export async function askForApiToken(
  server: URL,
  show: (sentence: string) => void,
  { pause = rest, onCode, signal, isRenewal = false, earlierName }: Asking = {},
): Promise<Connected> {
  const name = toName(isRenewal, earlierName)
  const begun = await post(server, 'device', { client_id: clientId, name, scope: 'upload' })
  const code = textOf(begun.told, 'device_code')
  if (begun.status === 404)
    throw new Stop(
      `${server.host} gives no codes: it is an older version, or not a Data Management Platform. Is this the right address?`,
    )
  if (begun.status !== 200 || code === '') throw new Stop(sentenceOf(begun), exitCodes.notSignedIn)
  const seconds = Number(begun.told['expires_in']) || 600
  onCode?.({ userCode: textOf(begun.told, 'user_code'), address: textOf(begun.told, 'verification_uri') })
  show(`Open ${textOf(begun.told, 'verification_uri')}`)
  show(`and enter the code ${textOf(begun.told, 'user_code')}`)
  show(`(an administrator of your organization can; within ${Math.floor(seconds / 60)} minutes). Waiting …`)
  return untilDecided(server, code, { seconds, interval: Number(begun.told['interval']) || 5, pause, signal })
}

interface Waiting {
  readonly seconds: number
  readonly interval: number
  readonly pause: Pause
  readonly signal: AbortSignal | undefined
}

async function untilDecided(
  server: URL,
  code: string,
  { seconds, interval, pause, signal }: Waiting,
): Promise<Connected> {
  const form = { grant_type: deviceGrant, device_code: code, client_id: clientId }
  let pauseSeconds = interval
  for (let waited = 0; waited <= seconds; waited += pauseSeconds) {
    await pause(pauseSeconds * 1000, signal)
    if (signal?.aborted === true) throw new Stop('Nobody waits for the code any more.', exitCodes.notSignedIn)
    const reply = await post(server, 'token', form).catch((cause: unknown) => {
      if (cause instanceof Unreachable) return undefined
      throw cause
    })
    // RFC 8628, 3.5: a line that is lost, and a server with too much to do, are asked less and less often.
    if (!reply || reply.status === 429 || reply.status >= 500) {
      pauseSeconds = Math.min(60, Math.max(pauseSeconds * 2, (reply?.retryAfterMs ?? 0) / 1000))
      continue
    }
    if (reply.status === 200) return toConnected(reply)
    const error = textOf(reply.told, 'error')
    if (error === 'slow_down') pauseSeconds += 5
    else if (error !== 'authorization_pending') throw new Stop(toSentence(error, reply), exitCodes.notSignedIn)
  }
  throw new Stop(overSentence, exitCodes.notSignedIn)
}

const overSentence = 'Nobody entered the code in time. Start again for a new one.'

function toSentence(error: string, reply: Reply): string {
  if (error === 'access_denied') return `This machine was not connected: ${sentenceOf(reply)}`
  if (error === 'expired_token') return overSentence
  // The answer that had the API token was lost on its way.
  if (error === 'invalid_grant')
    return 'The code was used, but the API token did not arrive. An administrator should end it under Account > API tokens; then start again.'
  return sentenceOf(reply)
}

function toConnected({ told }: Reply): Connected {
  const apiToken = textOf(told, 'access_token')
  if (apiToken === '') throw new Stop('The server approved without giving an API token. Is this the right address?')
  return {
    apiToken,
    name: textOf(told, 'name'),
    organization: textOf(told, 'organization'),
    expires: new Date(Date.now() + Number(told['expires_in'] ?? 0) * 1000),
  }
}

/** RFC 7009: this machine gives its API token back. Throws a Stop where the server did not end it. */
export async function endApiToken(server: URL, apiToken: string): Promise<void> {
  const byHand =
    'An administrator can end it under Account > API tokens; then remove "apiToken" from the settings file.'
  const reply = await post(server, 'revoke', { token: apiToken }).catch((cause: unknown) => {
    if (cause instanceof Unreachable)
      throw new Stop(`${cause.message} Nothing was changed. ${byHand}`, exitCodes.notAllSent)
    throw cause
  })
  if (reply.status !== 200)
    throw new Stop(`The server did not end the API token: ${sentenceOf(reply)} ${byHand}`, exitCodes.notSignedIn)
}
