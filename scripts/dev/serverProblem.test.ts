import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toServerProblem } from './serverProblem.ts'

const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'dmp-problem-'))), "Ann's Übersicht (2)")
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What the project's own Node says of a source. */
function run(text: string) {
  mkdirSync(join(root, 'server/src'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'server/src/edited.ts'), text)
  writeFileSync(join(root, 'server/src/main.ts'), "import './edited.ts'\n")
  const { stderr } = spawnSync(process.execPath, [join(root, 'server/src/main.ts')], { encoding: 'utf8' })
  return toServerProblem(stderr, root)
}

describe('what a server is said to have ended by', () => {
  it.each([
    [
      'a sentence that is half typed',
      'const a: number = 1\nexport const b = (a: number =>\n',
      '2',
      'Expression expected',
    ],
    ['a syntax that Node does not take away', 'enum A {\n  B,\n}\nexport default A\n', '1', 'enum is not supported'],
    ['a name that is not exported', "\nimport { none } from './main.ts'\nnone()\n", '2', "export named 'none'"],
    ['an error thrown at the start', "const a = 1\nthrow new Error('half of ' + a)\n", '2', 'Error: half of 1'],
    ['a type error that shows at the start', 'const a: any = undefined\na.b()\n', '2', "reading 'b'"],
  ])('is the place and the sentence of %s', (_, source, line, sentence) => {
    const { text, isOfSource } = run(source)
    expect(text).toMatch(new RegExp(`^\\./server/src/edited\\.ts ${line}\\b`))
    expect(text.split('\n')[1]).toContain(sentence)
    expect(isOfSource).toBe(true)
  })

  it('is the file that imports another one that is not there', () => {
    expect(run("import './gone.ts'\n").text).toMatch(/^\.\/server\/src\/edited\.ts\n.*Cannot find module/)
  })

  it('is said in the server’s own sentences where no source is to be mended', () => {
    const said = 'PORT is wrong: "x" is not a number.\nDMP_IDLE_MINUTES is wrong: "-1" is too small.\n'
    expect(toServerProblem(said, root)).toEqual({ text: said.trim(), isOfSource: false })
    expect(toServerProblem('', root).text).toBe('It said nothing of why.')
  })
})
