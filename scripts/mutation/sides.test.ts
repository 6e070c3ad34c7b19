import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { markSides, tellUnseen } from './sides.ts'

let folder = ''
let files = 0
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dmp-sides-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Marked {
  readonly found: unknown
  readonly unseen: string[]
}

/** What a function still answers with its decisions marked, and which sides these calls did not see. */
async function run(source: string, calls: readonly (readonly unknown[])[]): Promise<Marked> {
  const record = join(folder, 'sides')
  writeFileSync(record, '')
  const marked = markSides('f.ts', source, 0, record)
  // The recorder is one of its process: each of these tests has its own.
  Reflect.deleteProperty(globalThis, '__sides')
  const file = join(folder, `f${(files += 1)}.mjs`)
  writeFileSync(file, marked.source)
  const { f } = (await import(pathToFileURL(file).href)) as { f: (...values: readonly unknown[]) => unknown }
  const found = calls.map((values) => f(...values))
  return { found, unseen: tellUnseen(marked.decisions, readFileSync(record, 'utf8')) }
}

describe('sides that no test sees', () => {
  it('are those of each part of a condition, which is as true as before', async () => {
    const source = 'export const f = (a, b) => {\n  if (a && !b) return 1\n  return 2\n}\n'
    expect(await run(source, [[true, false], [false]])).toEqual({ found: [1, 2], unseen: ['f.ts:2 b · never true'] })
  })

  it('are those where two values are the same, of a comparison of more and less', async () => {
    const source = 'export const f = (a, b) => a <= b ? "in" : "out"'
    expect(
      await run(source, [
        [1, 2],
        [3, 2],
      ]),
    ).toEqual({ found: ['in', 'out'], unseen: ['f.ts:1 a <= b · never equal'] })
    expect(
      (
        await run(source, [
          [1, 2],
          [2, 2],
          [3, 2],
        ])
      ).unseen,
    ).toEqual([])
  })

  it('are those of a value that may be missing, and of what is compared for an answer', async () => {
    const source = 'export const f = (a, b) => [a ?? 7, b === 1]'
    expect(await run(source, [[undefined, 1]])).toEqual({
      found: [[7, true]],
      unseen: ['f.ts:1 a · never there', 'f.ts:1 b === 1 · never false'],
    })
  })

  it('are not those of loops that count, and what never came up says so', async () => {
    const source =
      'export const f = (n) => { for (let i = 0; i < n; i += 1) if (i > 5) return (n > 9 || n < 7) && n\n return -1 }'
    expect(await run(source, [[2]])).toEqual({
      found: [-1],
      unseen: [
        'f.ts:1 i > 5 · never true, never equal',
        'f.ts:1 n > 9 · never reached',
        'f.ts:1 n < 7 · never reached',
      ],
    })
  })

  it('are found in order, brackets and types and all, on the lines where they stand', () => {
    const source = 'const f = (a: unknown) =>\n  (a as number) > (1 + 2) || g(a!) ? <b>{a && <i />}</b> : undefined\n'
    const { source: marked, decisions } = markSides('f.tsx', source, 5, '/sides')
    expect(marked.split(';const f')[1]).toBe(
      " = (a: unknown) =>\n  __sides.order(5,'>',(a as number) , (1 + 2)) || __sides.truth(6,g(a!)) ? <b>{__sides.truth(7,a) && <i />}</b> : undefined\n",
    )
    expect(decisions.map(({ line, text }) => `${line} ${text}`)).toEqual([
      '2 (a as number) > (1 + 2)',
      '2 g(a!)',
      '2 a',
    ])
  })
})
