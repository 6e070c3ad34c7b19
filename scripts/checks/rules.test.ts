import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readRules } from './imports/checkImports.ts'
import { findForbiddenImports } from './imports/forbiddenImports.ts'
import { findLostPromises } from './promises.ts'
import { judgeExpression } from './regularExpressions.ts'
import { findForbiddenText, findForeignHosts } from './sources.ts'
import { runProcess } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

const tool = (name: string) => join(root, 'node_modules', '.bin', name)

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-rules-'))
  for (const file of ['.oxlintrc.json', '.dependency-cruiser.mjs']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

describe('lint', () => {
  const wrong: [string, string, string][] = [
    [
      'remote-scan/src/list/One.tsx',
      "import ky from 'ky'\nexport const One = () => ky",
      'HTTP lives in shared/kit/src/transport',
    ],
    [
      'remote-scan/src/list/Two.tsx',
      "import { Table } from 'antd'\nexport const Two = Table",
      'DataTable of @dmp/kit/table',
    ],
    [
      'host/src/shell/Three.tsx',
      "export const Three = () => localStorage.getItem('x')",
      'Only kit/session and kit/table',
    ],
    ['server/src/modules/four.ts', 'export const four = process.env.FOUR', 'process.env'],
    [
      'remote-user/src/five.ts',
      "import { userHandlers } from '@dmp/server'\nexport const five = userHandlers",
      'at run time',
    ],
    ['remote-user/src/six.ts', 'export const six = (value: any) => value', 'any'],
    ['shared/kit/src/table/seven.ts', "import ky from 'ky'\nexport const seven = ky", 'transport/ only'],
    ['shared/kit/src/session/eight.ts', "import ky from 'ky'\nexport const eight = ky", 'transport/ only'],
    ['shared/kit/src/screen/nine.ts', "import dayjs from 'dayjs'\nexport const nine = dayjs", 'dates/ only'],
  ]
  it.each(wrong)('refuses %s and says where it goes', async (file, text, lesson) => {
    write(file, text)
    const { code, text: said } = await runProcess(tool('oxlint'), [file], { cwd: folder, isQuiet: true })
    expect(code).not.toBe(0)
    expect(said.replaceAll(/\s+/g, ' ')).toContain(lesson)
  })

  it('lets the kit and the settings do what others may not', async () => {
    write('shared/kit/src/transport/good.ts', "import ky from 'ky'\nexport const good = ky")
    write('shared/kit/src/session/good.ts', "export const good = () => localStorage.getItem('x')")
    write('server/src/settings/settings.ts', 'export const settings = process.env')
    const { code, text } = await runProcess(
      tool('oxlint'),
      ['shared/kit/src/transport/good.ts', 'shared/kit/src/session/good.ts', 'server/src/settings/settings.ts'],
      { cwd: folder, isQuiet: true },
    )
    expect({ code, text: code === 0 ? '' : text }).toEqual({ code: 0, text: '' })
  })
})

describe('promises', () => {
  const settings = '{ "compilerOptions": { "strict": true, "module": "esnext", "target": "esnext" } }'
  const declared = 'declare const query: { execute(): Promise<void> }\ndeclare const isThere: () => Promise<boolean>\n'
  it.each([
    ['an await that was left out', 'void 0\n  query.execute()', 'no-floating-promises'],
    ['the end of a query that was left out', 'await query', 'await-thenable'],
    ['a condition on a promise', 'if (isThere()) await query.execute()', 'no-misused-promises'],
  ])('refuses %s', async (_, lines, rule) => {
    write('tsconfig.json', settings)
    write('scripts/checks/promises.json', readFileSync(join(root, 'scripts/checks/promises.json'), 'utf8'))
    write('server/src/right.ts', `${declared}export async function right() {\n  await query.execute()\n}\n`)
    write('server/src/lost.ts', `${declared}export async function lost() {\n  ${lines}\n}\n`)
    const found = await findLostPromises(['server/src/right.ts', 'server/src/lost.ts'], folder)
    expect(found).toEqual([expect.stringMatching(new RegExp(`server/src/lost\\.ts:\\d.*\\(${rule}\\)`))])
  })
})

describe('who may import whom', () => {
  const wrong: [string, string, string][] = [
    [
      'remote-scan/src/a.ts',
      "import { it } from '../../remote-user/src/it.ts'\nexport const a = it",
      'remotes-meet-at-run-time',
    ],
    [
      'host/src/b.ts',
      "import { it } from '../../remote-user/src/it.ts'\nexport const b = it",
      'host-meets-remotes-at-run-time',
    ],
    [
      'shared/kit/src/c.ts',
      "import { it } from '../../../host/src/it.ts'\nexport const c = it",
      'kit-stands-on-the-contract',
    ],
    [
      'server/src/d.ts',
      "import { it } from '../../shared/kit/src/it.ts'\nexport const d = it",
      'server-stands-on-the-contract',
    ],
    [
      'remote-scan/src/e.ts',
      "import { readFileSync } from 'node:fs'\nexport const e = readFileSync",
      'browser-has-no-node',
    ],
    [
      'shared/contract/src/f.ts',
      "import { it } from '../../kit/src/it.ts'\nexport const f = it",
      'contract-stands-alone',
    ],
    ['e2e/g.ts', "import { it } from '../server/src/it.ts'\nexport const g = it", 'journeys-know-the-contract-only'],
    ['host/src/remotes/i.ts', "import type { It } from '../pages/it.ts'\nexport type I = It", 'host-floor-remotes'],
    ['host/src/h.ts', "import { it } from './nowhere.ts'\nexport const h = it", 'resolvable'],
    ['host/src/k.ts', "export const k = async () => await import('./nowhere.ts')", 'resolvable'],
    ['host/src/l.ts', "import { it } from 'webpack'\nexport const l = it", 'declared-dependencies'],
    ['server/src/m.ts', "export * from './n.ts'", 'no-cycles'],
    ['host/src/p.ts', "import type { Q } from './q.ts'\nexport type P = Q", 'host-has-no-circles-of-types'],
    ['server/src/r.ts', "import { s } from './s.test.ts'\nexport const r = s", 'tests-stay-out'],
    [
      'remote-account/src/t.ts',
      "import { it } from './login/DemoAccounts.tsx'\nexport const t = it",
      'demo-accounts-load-late',
    ],
    ['shared/kit/src/form/u.ts', "export { it } from '../table/it.ts'", 'kit-form-and-table-are-neighbours'],
    ['shared/kit/src/dates/v.ts', "import type { It } from '../ui/it.ts'\nexport type V = It", 'kit-dates-is-below'],
    ['server/src/core/w.ts', "import { it } from '../it.ts'\nexport const w = it", 'server-core-is-the-ground'],
    [
      'uploader/src/y.ts',
      "import type { It } from '../../server/src/it.ts'\nexport type Y = It",
      'uploader-takes-one-file-of-the-server',
    ],
    ['remote-scan/src/z.ts', "import { it } from '@dmp/remote-user'\nexport const z = it", 'remotes-meet-at-run-time'],
    ['e2e/x.cjs', "const { it } = require('../host/src/it.ts')\nmodule.exports = it", 'no-relative-way-out'],
  ]
  /** Where the circles of these close: dependency-cruiser names one file of each. */
  const closing: [string, string][] = [
    ['server/src/n.ts', "export * from './o.ts'"],
    ['server/src/o.ts', "export const o = async () => await import('./m.ts')"],
    ['host/src/q.ts', "import type { P } from './p.ts'\nexport type Q = P"],
  ]
  /** None of these is refused. */
  const right: [string, string][] = [
    ['server/src/type.ts', "import type { Other } from './other.ts'\nexport type Type = Other"],
    ['server/src/other.ts', "import type { Type } from './type.ts'\nexport type Other = Type"],
    ['remote-account/src/late.ts', "export const late = async () => await import('./login/DemoAccounts.tsx')"],
    ['server/src/words.ts', 'export const words = "import { it } from \'../../host/src/it.ts\'"'],
  ]
  const places = ['shared', 'host', 'remote-account', 'remote-scan', 'remote-user', 'server', 'uploader', 'e2e']
  beforeAll(() => {
    for (const place of ['remote-user', 'host', 'shared/kit', 'server', 'shared/contract'])
      write(`${place}/src/it.ts`, 'export const it = 1')
    for (const file of [
      'remote-account/src/login/DemoAccounts.tsx',
      'shared/kit/src/table/it.ts',
      'server/src/s.test.ts',
    ])
      write(file, 'export const it = 1, s = 1')
    for (const file of ['host/src/pages/it.ts', 'shared/kit/src/ui/it.ts']) write(file, 'export type It = 1')
    for (const [file, text] of [...wrong, ...closing, ...right]) write(file, text)
  })

  it('refuses each way that is closed, by name', async () => {
    const options = ['-c', '.dependency-cruiser.mjs', '-T', 'err', ...places]
    const { code, text } = await runProcess(tool('depcruise'), options, { cwd: folder, isQuiet: true })
    expect(code).not.toBe(0)
    for (const [file, , rule] of wrong) expect(text).toContain(`${rule}: ${file}`)
    for (const [file] of right) expect(text).not.toContain(`: ${file} `)
  })

  it('is found by the quick look wherever dependency-cruiser finds it, and only there [P66]', async () => {
    const options = ['-c', '.dependency-cruiser.mjs', '-T', 'json', ...places]
    const { text } = await runProcess(tool('depcruise'), options, { cwd: folder, isQuiet: true })
    const { summary } = JSON.parse(text) as { summary: { violations: { rule: { name: string }; from: string }[] } }
    const files = globSync('**/*.{ts,tsx,cjs}', { cwd: folder, exclude: (name) => name === 'node_modules' })
    const inCircles = new Set(closing.map(([file]) => file))
    const found = findForbiddenImports(folder, files, await readRules()).filter(({ from }) => !inCircles.has(from))
    const sorted = (list: readonly string[]): string[] => [...new Set(list)].sort()
    expect(sorted(found.map(({ rule, from }) => `${rule}: ${from}`))).toEqual(
      sorted(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)),
    )
  })

  it('is judged by dependency-cruiser alone where a rule has a word that the quick look does not know [P66]', async () => {
    const { options } = await readRules()
    const forbidden = [{ name: 'odd', from: {}, to: JSON.parse('{"reachable":true}') as object }]
    expect(() => findForbiddenImports(folder, [], { forbidden, options })).toThrow('The rule odd says "reachable"')
  })
})

describe('sources', () => {
  it('tells a linear expression from one that is not [P17]', async () => {
    expect(await judgeExpression('^[a-z]{1,30}$', '')).toBe('safe')
    expect(await judgeExpression('^(a+)+$', '')).toMatch(/exponential/)
    expect(await judgeExpression('\\s+$', '')).toMatch(/polynomial/)
  })

  it('finds credentials, foreign hosts and what was left behind', () => {
    const key = `-----BEGIN ${'PRIVATE'} KEY-----\nMC4CAQAwBQYDK2VwBCIEIA`
    expect(findForbiddenText('server/src/a.ts', `const key = '${key}'`)).toHaveLength(1)
    expect(findForbiddenText('server/src/a.ts', `const key = '${key.replace('\n', '\\n')}'`)).toHaveLength(1)
    expect(findForbiddenText('server/src/a.ts', `said.startsWith('${key.slice(0, 27)}')`)).toHaveLength(0)
    expect(findForbiddenText('server/src/a.ts', `// ${'TO'}DO later`)).toHaveLength(1)
    expect(findForeignHosts('host/src/a.ts', "const at = 'https://cdn.somewhere.io/x.js'")).toHaveLength(1)
    expect(
      findForeignHosts('host/src/a.ts', "const at = 'https://dmp.example/x'\n// see https://github.com/x/y"),
    ).toHaveLength(0)
  })
})
