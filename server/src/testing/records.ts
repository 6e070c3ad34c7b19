import type { Server } from '../app.ts'

interface Made {
  readonly id: string
  readonly call: string
  readonly asked: unknown
  readonly answered: unknown
}

type Values = ReadonlyMap<string, ReadonlySet<string>>

/** What was, which the change has replaced. */
const earlier = /^(?:before|from|previous.*)$/

/** What the server says in words of its own, by event and field, or all of an event. */
const ownWords: ReadonlySet<string> = new Set([
  // Without what may be about people.
  'ApplicationErrorReported',
  // An address as the network that it is.
  'DeviceApproved addresses',
  // The release that a version names.
  'ReleaseOverridden source',
  // No more than whoever shares may do themselves.
  'ScanShared allowsDownload',
])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toText = (value: unknown): string => String(value).toLowerCase()

/** Every value by the name of its field, wherever it stands; of a list, each of its members. */
function toValues(value: unknown, name = '', values = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (Array.isArray(value)) for (const item of value) toValues(item, name, values)
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) if (!earlier.test(key)) toValues(inner, key, values)
  } else values.set(name, (values.get(name) ?? new Set()).add(toText(value)))
  return values
}

/** By the place where both have it, members of lists in their order; elsewhere by its name alone. */
function* compare(
  recorded: unknown,
  asked: unknown,
  name: string,
  [wanted, answered]: readonly [Values, Values],
): Generator<string> {
  if (Array.isArray(recorded) && Array.isArray(asked) && recorded.length === asked.length) {
    for (const [at, item] of recorded.entries()) yield* compare(item, asked[at], name, [wanted, answered])
  } else if (isObject(recorded)) {
    for (const [key, inner] of Object.entries(recorded))
      if (!earlier.test(key)) yield* compare(inner, isObject(asked) ? asked[key] : undefined, key, [wanted, answered])
  } else if (typeof recorded === 'number' && Array.isArray(asked)) {
    if (recorded !== asked.length) yield `${name} ${recorded}`
  } else if (typeof recorded === 'boolean' && typeof asked === 'boolean') {
    if (recorded !== asked) yield `${name} ${recorded}`
  } else {
    const known = wanted.get(name)
    for (const text of toValues(recorded, name).get(name) ?? [])
      if (known && !known.has(text) && !answered.get(name)?.has(text)) yield `${name} ${text}`
  }
}

const mostRequests = 5000

/**
 * Watches whether the record of a change says what was asked for: where both have a field of one name, its value is
 * one that was asked for or answered. Tests look for the event, and mostly at nothing in it.
 *
 * @returns what is recorded otherwise, to be asked while the database is there
 */
export function watchRecords({ app, deps: { db } }: Server): () => Promise<string[]> {
  const made = new Map<string, Made>()
  app.addHook('onSend', (request, reply, payload, done) => {
    const { id, method, body, routeOptions } = request
    // Anything else is a stream, or no change of fields.
    const isJson = /^application\/json\b/.test(request.headers['content-type'] ?? '')
    const isChange = method !== 'GET' && reply.statusCode === 200 && isJson && isObject(body)
    if (isChange && typeof payload === 'string' && payload.startsWith('{') && made.size < mostRequests)
      made.set(id, { id, call: `${method} ${routeOptions.url}`, asked: body, answered: JSON.parse(payload) })
    done(null, payload)
  })
  return async () => {
    if (made.size === 0) return []
    const rows = await db
      .selectFrom('audit')
      .select(['request_id', 'event', 'subject'])
      .where('request_id', 'in', [...made.keys()])
      .where('outcome', '=', 'success')
      .execute()
    return rows.flatMap(({ request_id: id, event, subject }) => {
      const one = made.get(id)
      if (!one || ownWords.has(event)) return []
      const wrong = compare(subject, one.asked, '', [toValues(one.asked), toValues(one.answered)])
      return [...wrong]
        .filter((what) => !ownWords.has(`${event} ${what.split(' ', 1)[0]}`))
        .map((what) => `${one.call}: ${event} says ${what}`)
    })
  }
}
