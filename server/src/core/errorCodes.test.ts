import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes, type ErrorCode, type ErrorCodeMeaning } from './errorCodes.ts'

const root = join(import.meta.dirname, '..')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|peers)\.ts$|InTests\.ts$|errorCodes\.ts$/.test(name))
  .map((name) => readFileSync(join(root, name), 'utf8'))
const thrown = sources.flatMap((text) =>
  [...text.matchAll(/(?:new Refusal|super)\(\s*(\d{3}),\s*'([A-Z_]+)'/g)].map(
    ([, status, code]) => [Number(status), code as ErrorCode] as const,
  ),
)
const codes = Object.entries<ErrorCodeMeaning>(errorCodes)

describe('the list of error codes', () => {
  it('has every code that is thrown, with its status [7.01, P60]', () => {
    expect(thrown.length).toBeGreaterThan(100)
    const unlisted = thrown.filter(([status, code]) => !errorCodes[code]?.statuses.includes(status))
    expect(unlisted).toEqual([])
  })

  it('has none that nothing throws [7.01, P60]', () => {
    const all = sources.join('\n')
    const isSaid = (code: string): boolean =>
      all.includes(`'${code}'`) || all.includes(`'${code.replace(/^STORE_/, '')}'`)
    expect(codes.map(([code]) => code).filter((code) => !isSaid(code))).toEqual([])
  })

  it('says what each means and what helps, in sentences [7.01, P60]', () => {
    for (const [code, { statuses, meaning, cure }] of codes) {
      expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(statuses.every((status) => status >= 400 && status < 600)).toBe(true)
      expect([code, meaning]).toEqual([code, expect.stringMatching(/^[A-Z].{10,}\.$/)])
      expect([code, cure]).toEqual([code, expect.stringMatching(/^[A-Z].{5,}[.a-z0]$/)])
    }
  })
})
