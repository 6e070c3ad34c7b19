import { createHash } from 'node:crypto'
import { findCallMisfit, toCallShape, type CallShape, type Shape } from '@dmp/build/callShapes'
import type { Endpoint } from '@dmp/contract/endpoint'
import type { Release } from '@dmp/contract/release'
import * as v from 'valibot'
import { releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'
import type { Incompatibility } from './compatibility.ts'

/** Written by the build into every release: the calls that the part makes, each as it knew it. */
export const callsFile = 'calls.json'

/** Calls by name, `METHOD /path`. */
export type CallShapes = Readonly<Record<string, CallShape>>

/** No product has a call whose shape is nested deeper, or a part that makes more. */
const most = { bytes: 1_000_000, calls: 1000 } as const

const text = v.string('Must be text.')
const Shape: v.GenericSchema<unknown, Shape> = v.variant('is', [
  v.strictObject({
    is: v.literal('object'),
    of: v.record(
      text,
      v.lazy(() => Shape),
    ),
    optional: v.optional(v.array(text)),
  }),
  v.strictObject({ is: v.picklist(['list', 'record', 'maybe']), of: v.lazy(() => Shape) }),
  v.strictObject({ is: v.literal('one of'), of: v.array(text) }),
  v.strictObject({ is: v.literal('either'), of: v.array(v.lazy(() => Shape)) }),
  v.strictObject({ is: v.picklist(['text', 'number', 'flag', 'nothing', 'anything']) }),
]) as v.GenericSchema<unknown, Shape>
const CallShapes = v.record(text, v.strictObject({ method: text, path: text, takes: Shape, gives: Shape }))

/** The shapes of these calls. */
export const toCallShapes = (calls: readonly Endpoint[]): CallShapes =>
  Object.fromEntries(calls.map((call) => [call.name, toCallShape(call)]))

/** Two shapes with the same hash are the same. */
export const hashCallShape = (shape: CallShape): string =>
  createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 16)

/** The calls that a release says it makes; undefined where it says nothing, `unreadable` where nobody can read it. */
export async function readCalls(store: ReleaseStore, release: Release): Promise<CallShapes | 'unreadable' | undefined> {
  if (!release.files.some(({ path }) => path === callsFile)) return undefined
  const content = await store.read(releaseKey(release.name, release.releaseId, callsFile))
  return content ? parseCalls(content.toString('utf8')) : 'unreadable'
}

export function parseCalls(content: string): CallShapes | 'unreadable' {
  if (content.length > most.bytes) return 'unreadable'
  try {
    const { success, output } = v.safeParse(CallShapes, JSON.parse(content))
    return success && Object.keys(output).length <= most.calls ? (output as CallShapes) : 'unreadable'
  } catch {
    // Not JSON, or nested so deep that reading it ends.
    return 'unreadable'
  }
}

/** The calls of a part that a server does not answer as the part makes them. */
export function findUnansweredCalls(part: string, made: CallShapes, answered: CallShapes): Incompatibility[] {
  return Object.entries(made).flatMap(([name, shape]) => {
    const there = Object.hasOwn(answered, name) ? answered[name] : undefined
    const problem =
      there === undefined
        ? `${part} makes the call ${name}, which the server does not answer.`
        : sayMisfit(part, name, findCallMisfit(shape, there))
    return problem === undefined
      ? []
      : [
          {
            parties: [part, 'server'] as const,
            reason: problem,
            cure: `Update the server first, or build ${part} with the contract that the server has: npm run release -- check ${part} --to <address> says which.`,
          },
        ]
  })
}

const sayMisfit = (part: string, name: string, misfit: string | undefined): string | undefined =>
  misfit && `${part} makes the call ${name} in a way that the server does not answer: ${misfit}.`
