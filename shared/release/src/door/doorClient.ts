import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { RegistryConflict, StoreError } from '../store/ReleaseStore.ts'

/** A deployment, as a team without access to its store reaches it. */
export interface Door {
  readonly address: string
  ask<E extends Endpoint>(call: E, input: Input<E>): Promise<Answer<E>>
}

/** A build may take long to be compressed there. */
const patienceMs = 180_000

/**
 * Opens the door of a deployment with an API token.
 *
 * @param token left out where only what anybody may ask is asked
 */
export function openDoor(to: string, token?: string): Door {
  const address = toAddress(to)
  return {
    address,
    ask: async <E extends Endpoint>(call: E, input: Input<E>): Promise<Answer<E>> => {
      const { url, body } = toRequest(address, call, input as Readonly<Record<string, unknown>>)
      let response: Response
      try {
        response = await fetch(url, {
          method: call.definition.method,
          headers: {
            accept: 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body }),
          // A token goes nowhere else.
          redirect: 'error',
          signal: AbortSignal.timeout(patienceMs),
        })
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
        throw new StoreError(`${address} could not be reached (${cause}). Look at the address and try again.`)
      }
      return readAnswer<E>(address, response)
    },
  }
}

function toAddress(to: string): string {
  const url = URL.canParse(to) ? new URL(to) : undefined
  const isHere = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost' || url?.hostname === '[::1]'
  if (url === undefined || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw new StoreError(`${to} is not the address of a deployment: https:// and its name. Tokens go over https.`)
  return url.origin
}

function toRequest(address: string, { definition }: Endpoint, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input }
  const path = definition.path.replace(/:(\w+)/g, (_found, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const url = new URL(`/api${path}`, address)
  if (definition.method !== 'GET') return { url, body: JSON.stringify(rest) }
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) url.searchParams.set(name, String(value))
  return { url, body: undefined }
}

interface Envelope {
  readonly data?: unknown
  readonly code?: string
  readonly message?: string
}

async function readAnswer<E extends Endpoint>(address: string, response: Response): Promise<Answer<E>> {
  const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
  if (response.ok && envelope !== undefined) return envelope.data as Answer<E>
  const sentence = envelope?.message ?? `${address} answered ${response.status} without a reason.`
  if (envelope?.code === 'CHANGED_MEANWHILE') throw new RegistryConflict(sentence)
  if (envelope?.message !== undefined && response.status < 500 && response.status !== 429)
    throw new ReleaseRefused([{ parties: [address, envelope.code ?? 'refused'], reason: sentence, cure: '' }])
  throw new StoreError(sentence)
}
