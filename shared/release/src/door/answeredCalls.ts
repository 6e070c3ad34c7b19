import type { CallShape } from '@dmp/build/callShapes'
import * as calls from '@dmp/contract/releaseCalls'
import { findUnansweredCalls, hashCallShape, parseCalls, type CallShapes } from '../preflight/calls.ts'
import type { Incompatibility } from '../preflight/compatibility.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import type { Door } from './doorClient.ts'

/**
 * The calls of a build that a deployment does not answer as the build makes them. Shapes are fetched only of calls that
 * differ.
 *
 * @param content the build's `calls.json`
 */
export async function findCallsUnansweredBy(door: Door, part: string, content: string): Promise<Incompatibility[]> {
  const made = parseCalls(content)
  if (made === 'unreadable') throw new StoreError(`calls.json of ${part} is not readable. Build it again.`)
  const { calls: answers } = await door.ask(calls.contract, {})
  const hashes = new Map(answers.map(({ name, hash }) => [name, hash]))
  const answered: Record<string, CallShape> = {}
  for (const [name, shape] of Object.entries(made)) {
    const hash = hashes.get(name)
    if (hash !== undefined) answered[name] = hash === hashCallShape(shape) ? shape : await fetchShape(door, name)
  }
  return findUnansweredCalls(part, made, answered)
}

async function fetchShape(door: Door, name: string): Promise<CallShape> {
  const { shape } = await door.ask(calls.getCallShape, { name })
  const parsed: CallShapes | 'unreadable' = parseCalls(`{${JSON.stringify(name)}:${shape}}`)
  const there = parsed === 'unreadable' ? undefined : parsed[name]
  if (there === undefined)
    throw new StoreError(`${door.address} says the shape of ${name} in a way that is not known here.`)
  return there
}
