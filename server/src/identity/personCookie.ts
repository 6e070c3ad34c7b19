import type { Person } from '@dmp/release/canary'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCookies } from '../core/caller.ts'
import type { Keys } from './keys.ts'

/** For so long the last sign-in on a browser decides about its pages. */
export const audienceSeconds = 30 * 86_400

type Digest = Pick<Keys, 'digest'>

/**
 * The person's place among all people. It is stable, cannot be guessed, and says nothing to anybody but this server.
 */
const toPlace = ({ digest }: Digest, email: string): string => digest('ring', email.toLowerCase()).slice(0, 22)

/**
 * The browser keeps it from the sign-in on, so that the server can choose the releases of a page before it knows who
 * asks for it. It opens nothing and names no person; the proof keeps people from choosing a place.
 */
export function createPersonCookie(keys: Digest, email: string): string {
  const place = toPlace(keys, email)
  return `${place}.${keys.digest('ringProof', place)}`
}

/** The person on whose browser the request comes, as far as releases are concerned. */
export const findPerson = (
  { keys, settings }: { keys: Digest; settings: { publicUrl: string | undefined } },
  request: FastifyRequest,
  reply: FastifyReply,
): Person | undefined => readPersonCookie(keys, createCookies(request, reply, { settings }).read('dmp-audience'))

/** The person that the cookie stands for; undefined where there is none, or this server did not write it. */
export function readPersonCookie(keys: Digest, cookie: string | undefined): Person | undefined {
  const [place = '', proof] = cookie?.split('.') ?? []
  if (proof === undefined || keys.digest('ringProof', place) !== proof) return undefined
  return { key: place, isNamed: (email) => toPlace(keys, email) === place }
}
