const instant = /^\d{4}-\d\d-\d\dT/
const day = /^\d{4}-\d\d-\d\d$/
const time = /^\d\d:\d\d:\d\d$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const uid = /^\d+(?:\.\d+){2,}$/

const firstDay = Date.UTC(2001, 0, 1, 12)
const dayMs = 86_400_000

const two = (value: number): string => String(value).padStart(2, '0')

function ownText(like: string, n: number): string {
  const date = new Date(firstDay + n * dayMs).toISOString()
  if (instant.test(like)) return date
  if (day.test(like)) return date.slice(0, 10)
  if (time.test(like)) return `${two(n % 24)}:${two(n % 60)}:${two(n % 59)}`
  if (uuid.test(like)) return `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`
  if (uid.test(like)) return `2.25.${10_000 + n}`
  return `own ${n}`
}

/**
 * A value like the example in which each field has a value of its own, so that no field can stand in for another.
 * Arrays keep their length; null becomes text, true and false stay. `keep` names paths whose value stays, because a
 * rule names the possible ones.
 *
 * @example ownValues(aComplaintRow(), { keep: ['currentStatus'] })
 */
export function ownValues<T>(example: T, { keep = [], from = 1 }: { keep?: readonly string[]; from?: number } = {}): T {
  let n = from * 100
  const walk = (value: unknown, path: string): unknown => {
    if (keep.includes(path)) return value
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}.${index}`))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, walk(inner, path === '' ? name : `${path}.${name}`)]),
      )
    n += 1
    if (typeof value === 'string') return ownText(value, n)
    if (value === null) return `own ${n}`
    return typeof value === 'number' ? n : value
  }
  return walk(example, '') as T
}

/** The value at a path such as 'contactInfo.email'. */
export function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row)
}
