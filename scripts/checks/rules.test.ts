import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  ]
  it('refuses each way that is closed, by name', async () => {
    for (const place of ['remote-user', 'host', 'shared/kit', 'server', 'shared/contract'])
      write(`${place}/src/it.ts`, 'export const it = 1')
    write('host/src/pages/it.ts', 'export type It = 1')
    for (const [file, text] of wrong) write(file, text)
    const places = ['shared', 'host', 'remote-scan', 'remote-user', 'server', 'e2e']
    const { code, text } = await runProcess(
      tool('depcruise'),
      ['-c', '.dependency-cruiser.mjs', '-T', 'err', ...places],
      {
        cwd: folder,
        isQuiet: true,
      },
    )
    expect(code).not.toBe(0)
    for (const [file, , rule] of wrong) expect(text).toContain(`${rule}: ${file}`)
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
