import type { FuzzCase } from '../FuzzCase.ts'
import { anyValue, mutate, typedText } from '../mutate.ts'
import type { Random } from '../Random.ts'

/** `{{token}}` is replaced in frames as well, so that what comes after a good token is reached. */
function frame(random: Random): Buffer {
  const kind = random.below(6)
  if (kind === 0) return Buffer.from('{"type":"renewToken","accessToken":"{{token}}"}')
  if (kind === 1)
    return Buffer.from(JSON.stringify({ type: random.pick(['getToken', 'idleTimeout', 'keepAlive', 'x']) }))
  if (kind === 2) return Buffer.from(JSON.stringify({ type: 'keepAlive', activeDate: anyValue(random) }))
  if (kind === 3)
    return Buffer.from(JSON.stringify({ type: 'renewToken', accessToken: `${typedText}${random.uuid()}` }))
  if (kind === 4) return random.bytes(random.below(9000))
  return mutate(Buffer.from('{"type":"keepAlive","activeDate":"2026-01-01T00:00:00.000Z"}'), random)
}

/** Channels of a known client with frames that are none, too large, too many or in a wrong order. */
export function live(random: Random): FuzzCase {
  const sessionId = random.isOneIn(5) ? typedText : random.uuid()
  const clientId = random.isOneIn(8) ? 'nobody' : 'dmp-web'
  const frames = Array.from({ length: 1 + random.below(random.isOneIn(10) ? 80 : 6) }, () =>
    frame(random).toString('base64'),
  )
  return { target: 'live', steps: [{ live: `/live?${new URLSearchParams({ sessionId, clientId })}`, frames }] }
}
