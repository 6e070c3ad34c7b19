import { calls } from '../../../shared/contract/src/calls.ts'
import type { Endpoint } from '../../../shared/contract/src/endpoint.ts'
import { listKeys, toRequest } from '../../../server/src/testing/request.ts'
import type { FuzzCase } from '../FuzzCase.ts'
import { anyValue, mutate, typedText } from '../mutate.ts'
import type { Random } from '../Random.ts'

/** Left out: what ends the session or changes the sign-in of the fuzzer, and the call that writes into the log. */
const tried = calls.filter(
  ({ name }) => !/logout|updatePreferences|changePassword|sendApplicationError/i.test(name),
) as [Endpoint, ...Endpoint[]]

/** A value that a field might even accept, so that handlers are reached. */
function plausible(key: string, random: Random): unknown {
  if (/id$/i.test(key)) return random.uuid()
  if (/email/i.test(key)) return `${typedText}${random.below(1000)}@example.com`
  if (/date|since|until/i.test(key)) return new Date(1.7e12 + random.below(1e9)).toISOString()
  if (/count|page|size|limit|skip|take|max/i.test(key)) return random.below(50)
  if (/^(is|has|anonymize)/.test(key)) return random.isOneIn(2)
  if (/uids?$/i.test(key)) return random.pick<unknown>(['1.2.3', ['1.2.3']])
  return random.pick<unknown>([typedText, [], {}, 'asc', null])
}

/** Calls of the contract with fields of a wrong kind, too many, too few, too deep, or text that is no JSON. */
export function json(random: Random): FuzzCase {
  const call = random.pick(tried)
  const { params, query, body } = call.definition
  const input: Record<string, unknown> = {}
  for (const key of [params, query, body].flatMap(listKeys))
    if (!random.isOneIn(8)) input[key] = random.isOneIn(3) ? anyValue(random) : plausible(key, random)
  if (random.isOneIn(8)) input[random.pick(['__proto__', 'constructor', 'toString', 'extra'])] = anyValue(random)
  const { method, url, payload } = toRequest(call, input)
  const text = payload === undefined ? undefined : Buffer.from(JSON.stringify(payload))
  return {
    target: 'json',
    steps: [
      {
        method,
        path: url.slice(0, 12_000),
        headers: {
          authorization: 'Bearer {{token}}',
          ...(text && { 'content-type': random.isOneIn(12) ? 'text/plain' : 'application/json' }),
        },
        ...(text && { body: (random.isOneIn(4) ? mutate(text, random) : text).toString('base64') }),
      },
    ],
  }
}
