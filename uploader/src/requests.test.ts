import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const sources = import.meta.dirname
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/test\.ts$|InTests|\.peers\./.test(file),
)

/** `fetch(…)` with everything between its parentheses. */
function listRequests(file: string): string[] {
  const source = readFileSync(path.join(sources, file), 'utf8')
  return [...source.matchAll(/\bfetch\(/g)].map(({ index }) => {
    let depth = 0
    let end = source.indexOf('(', index)
    do depth += { '(': 1, ')': -1 }[source[end++] ?? ''] ?? 0
    while (depth > 0 && end < source.length)
    return source.slice(index, end)
  })
}

const requests = files.flatMap((file) => listRequests(file).map((request) => ({ file, request })))

it('are found', () => expect(requests.length).toBeGreaterThan(7))

it.each(requests)('a request of $file ends by itself, and takes what it knows nowhere else [P28]', ({ request }) => {
  // The other side may be a machine that never answers, or that sends a secret on to a stranger's.
  expect(request).toMatch(/\bsignal\b/)
  expect(request).toMatch(/\bredirect: '(?:error|manual)'/)
})
