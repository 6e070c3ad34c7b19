import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from './build.ts'
import { NamesPlugin } from './NamesPlugin.ts'

async function findNames(source: string): Promise<unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-names-'))
  writeFileSync(path.join(folder, 'main.js'), source)
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    target: ['web', 'es2022'],
    entry: './main.js',
    externals: [({ request = '' }, done) => (request.startsWith('@') ? done(undefined, 'var x') : done())],
    output: { path: path.join(folder, 'dist') },
    plugins: [new NamesPlugin()],
    cache: false,
  })
  return JSON.parse(readFileSync(path.join(folder, 'dist/names.json'), 'utf8'))
}

it('a build says which names of contract and kit it takes, by module, and of no other package [P58]', async () => {
  const names = await findNames(`
    import { useData, formatNumber as format } from '@dmp/kit'
    import { ListTable } from '@dmp/kit/table'
    import { complaint, limits } from '@dmp/contract'
    import * as screens from '@dmp/kit/screen'
    import { other } from '@other/kit'
    show(useData, format, ListTable, complaint.list, screens, other)`)
  expect(names).toEqual({
    '@dmp/contract': ['complaint'],
    '@dmp/kit': ['formatNumber', 'useData'],
    '@dmp/kit/screen': ['*'],
    '@dmp/kit/table': ['ListTable'],
  })
})
