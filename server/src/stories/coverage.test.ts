import { readdirSync, readFileSync } from 'node:fs'
import { calls } from '@dmp/contract/calls'
import type { Endpoint } from '@dmp/contract'

const folder = new URL('.', import.meta.url)
const records = readdirSync(folder)
  .filter((name) => name.endsWith('.record.txt'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))

/** Every request of every story, by the call that it is, with its status. */
const played = records.flatMap((text) =>
  [...text.matchAll(/^[\w ]+: (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/[^\s?]*)[^]*?\n {2}(\d{3})\b/gm)].map(
    ([, method = '', path = '', status]) => ({ name: `${method} ${path}`, status: Number(status) }),
  ),
)

const toPattern = ({ definition: { method, path } }: Endpoint): RegExp =>
  new RegExp(`^${method} /api${path.replaceAll(/:\w+/g, '[^/]+')}$`, 'i')
const statusesOf = (call: Endpoint): number[] => {
  const pattern = toPattern(call)
  return played.filter(({ name }) => pattern.test(name)).map(({ status }) => status)
}
const missing = (isThere: (status: number) => boolean, some: readonly Endpoint[]): string[] =>
  some
    .filter((call) => !statusesOf(call).some(isThere))
    .map(({ name }) => name)
    .sort()

it('every call succeeds in a story', () => {
  expect(missing((status) => status < 300, calls)).toEqual([])
})

it('every call that changes something is refused in a story, with all that it then does not change', () => {
  const changing = calls.filter(({ definition }) => definition.method !== 'GET')
  expect(missing((status) => status >= 400, changing)).toEqual([])
})
