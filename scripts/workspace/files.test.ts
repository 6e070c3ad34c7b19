import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lineAt, listFiles, listRemotes, readJson, readText, root } from './files.ts'
import { walkSyntax } from '../../shared/build/src/syntaxTree.ts'

describe('the files of the checkout', () => {
  const files = listFiles('.', /\.(ts|tsx|json)$/)

  it('are listed from the root, sorted, without what is built or installed', () => {
    expect(files).toContain('scripts/workspace/files.test.ts')
    expect(files.slice(0, 50)).toEqual(files.slice(0, 50).sort())
    expect(files.filter((file) => /(^|\/)(node_modules|dist|\.[^/]+)\//.test(file))).toEqual([])
    expect(files.every((file) => existsSync(join(root, file)))).toBe(true)
  })

  it('can be those of one folder, and are read by the same path', () => {
    const inside = listFiles('shared/contract', /^package\.json$/)
    expect(inside).toEqual(['shared/contract/package.json'])
    expect(readJson(inside[0] ?? '')).toMatchObject({ name: '@dmp/contract' })
  })

  it('have the remotes among them, each with its declaration', () => {
    expect(listRemotes()).toEqual(
      readdirSync(root)
        .filter((name) => name.startsWith('remote-'))
        .sort(),
    )
    for (const remote of listRemotes()) expect(readJson(`${remote}/remote.json`)).toMatchObject({ name: remote })
  })

  it('have lines that are counted from one', () => {
    const text = readText('package.json')
    expect([lineAt(text, 0), lineAt(text, text.indexOf('\n') + 1)]).toEqual([1, 2])
  })
})

describe('the syntax tree of a source', () => {
  const source = 'export const a = (b: string) => <p title="x">{b}</p>'

  it('gives every node with its parents, the nearest first', () => {
    const visit = [...walkSyntax('a.tsx', source)].find(({ node }) => node.value === 'x')
    expect(visit?.parents.slice(0, 3).map(({ type }) => type)).toEqual([
      'JSXAttribute',
      'JSXOpeningElement',
      'JSXElement',
    ])
    expect(visit?.parents.at(-1)?.type).toBe('Program')
  })

  it('leaves out the children of a node that the caller does not enter', () => {
    const types: string[] = []
    const walk = walkSyntax('a.tsx', source)
    for (let step = walk.next(); !step.done; step = walk.next(types.at(-1) !== 'JSXElement'))
      types.push(step.value.node.type)
    expect(types).toContain('JSXElement')
    expect(types).not.toContain('JSXAttribute')
  })
})
