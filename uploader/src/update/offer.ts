import { compareVersions } from '@dmp/contract/versions'
import { toReason, userAgent } from '../Session.ts'
import { Stop } from '../stop.ts'
import { version } from '../version.ts'
import type { Programs } from './programs.ts'
import { isProgramOf, isSigned, readStatement, type Statement } from './statement.ts'

const withinMs = 30_000
const programWithinMs = 300_000
/** A program is a megabyte or so; more is not taken into memory. */
const mostBytes = 64 * 2 ** 20

/** What the server says of itself and of uploaders. */
export interface Offer {
  readonly product: string
  readonly oldest: string
  readonly offered: Statement | undefined
}

/** Undefined where the server is not there, or older than this uploader. */
export async function findOffer(server: URL): Promise<Offer | undefined> {
  try {
    const response = await ask(server, 'current', withinMs)
    const { product, oldest, offered } = (await response.json()) as Record<string, unknown>
    if (!response.ok || typeof product !== 'string' || typeof oldest !== 'string') return undefined
    return { product, oldest, offered: readStatement(offered) }
  } catch {
    return undefined
  }
}

const ask = (server: URL, what: string, ms: number): Promise<Response> =>
  fetch(new URL(`/downloads/uploader/${what}`, server), {
    headers: { 'user-agent': userAgent },
    redirect: 'error',
    signal: AbortSignal.timeout(ms),
  })

/** The sentence for an uploader that the server does not want any more; undefined where all is well. */
export function toTooOld(server: URL, oldest: string): string | undefined {
  if (compareVersions(version, oldest) >= 0) return undefined
  const platform = { win32: 'windows', darwin: 'macos' }[process.platform as string] ?? 'linux'
  return (
    `This uploader (${version}) is too old for ${server.host}, which takes ${oldest} and newer. ` +
    `Nothing was lost. Update it: dmp-uploader update, or download the new one at ${new URL(`/downloads/uploader/${platform}`, server).href}`
  )
}

/**
 * Fetches what the server offers, if it is newer and signed. Returns the version that waits for a start;
 * undefined where there is nothing to do. Throws a Stop that says why it could not be taken.
 */
export async function fetchUpdate(
  server: URL,
  offered: Statement | undefined,
  programs: Programs,
  keys: readonly string[],
): Promise<string | undefined> {
  if (offered === undefined || !programs.isWanted(offered.version)) return undefined
  const name = `Uploader ${offered.version}, which ${server.host} offers,`
  // Before anything is fetched: a stranger's server cannot fill the disk.
  if (!isSigned(offered, keys) || offered.size > mostBytes)
    throw new Stop(
      `${name} is not signed by whoever made this one, and was not taken. Tell the server's administrator.`,
    )
  let program: Buffer
  try {
    const response = await ask(server, 'program', programWithinMs)
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) !== offered.size)
      throw new Error(`answer ${response.status}`)
    program = Buffer.from(await response.arrayBuffer())
  } catch (cause) {
    throw new Stop(`${name} could not be fetched (${toReason(cause)}). It is tried again later.`)
  }
  if (!isProgramOf(program, offered, keys))
    throw new Stop(`${name} is not what was signed, and was not taken. Tell the server's administrator.`)
  programs.add(offered, program)
  return offered.version
}
