import type { Person } from '@dmp/release/canary'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sharedNow } from '../core/clock.ts'
import { createCookies } from '../core/caller.ts'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import type { Keys } from './keys.ts'

/** For so long the last sign-in on a browser decides about its pages. */
export const audienceSeconds = 30 * 86_400

type Digest = Pick<Keys, 'digest'>

/** The person on whose browser a page opens, and the session that signed in there last. */
export interface BrowserPerson extends Person {
  /** Unknown from a cookie of the version before. It may have ended. */
  readonly sessionId: string | undefined
}

/**
 * The person's place among all people. It is stable, cannot be guessed, and says nothing to anybody but this server.
 */
const toPlace = ({ digest }: Digest, email: string): string => digest('ring', email.toLowerCase()).slice(0, 22)

/** The place with the proof that this server gave it. */
export function createPlace(keys: Digest, email: string): string {
  const place = toPlace(keys, email)
  return `${place}.${keys.digest('ringProof', place)}`
}

/** The place, if this server gave it. */
export const findPlace = (keys: Digest, [place = '', proof = '']: readonly string[]): string | undefined =>
  isEqualSecret(keys.digest('ringProof', place), proof) ? place : undefined

/**
 * The browser keeps it from the sign-in on, so that the server can choose the releases of a page before it knows who
 * asks for it. It opens nothing and names no person; the proof keeps people from choosing a place. The session and the
 * date say whose reports about releases count; servers of the version before read the first two fields alone.
 */
export function createPersonCookie(keys: Digest, email: string, sessionId: string): string {
  const session = `${sessionId}.${Math.floor(sharedNow() / 1000)}`
  const dated = `${toPlace(keys, email)}.${session}`
  return `${createPlace(keys, email)}.${session}.${keys.digest('ringProof', dated)}`
}

/** The person on whose browser the request comes, as far as releases are concerned. */
export const findPerson = (
  { keys, settings }: { keys: Digest; settings: { publicUrl: string | undefined } },
  request: FastifyRequest,
  reply: FastifyReply,
): BrowserPerson | undefined => readPersonCookie(keys, createCookies(request, reply, { settings }).read('dmp-audience'))

/** The person that the cookie stands for; undefined where there is none, or this server did not write it. */
export function readPersonCookie(keys: Digest, cookie: string | undefined): BrowserPerson | undefined {
  const fields = cookie?.split('.') ?? []
  const place = findPlace(keys, fields)
  if (place === undefined) return undefined
  return {
    key: place,
    isNamed: (email) => toPlace(keys, email) === place,
    sessionId: readSession(keys, place, fields.slice(2)),
  }
}

function readSession(keys: Digest, place: string, [sessionId = '', at = '', proof = '']: string[]): string | undefined {
  const isOurs = isEqualSecret(keys.digest('ringProof', `${place}.${sessionId}.${at}`), proof)
  return isOurs && Number(at) * 1000 > sharedNow() - audienceSeconds * 1000 ? sessionId : undefined
}
