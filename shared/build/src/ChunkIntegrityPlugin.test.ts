import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from './build.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'

const sha384 = (content: Buffer): string => `sha384-${createHash('sha384').update(content).digest('base64')}`

/** Builds a first script with two scripts that it loads later, one from the other. */
async function buildChunks(text: string): Promise<{ first: string; later: Buffer[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-chunks-'))
  writeFileSync(path.join(folder, 'main.js'), `import('./list.js').then(({ open }) => open())`)
  writeFileSync(path.join(folder, 'list.js'), `export const open = () => import('./detail.js')`)
  writeFileSync(path.join(folder, 'detail.js'), `export const text = ${JSON.stringify(text)}`)
  await compile({
    mode: 'production',
    context: folder,
    entry: { main: './main.js' },
    target: ['web', 'es2022'],
    output: { path: path.join(folder, 'dist'), filename: '[name].js', crossOriginLoading: 'anonymous' },
    plugins: [new ChunkIntegrityPlugin()],
    cache: false,
  })
  const read = (file: string): Buffer => readFileSync(path.join(folder, 'dist', file))
  const files = readdirSync(path.join(folder, 'dist')).filter((file) => file !== 'main.js')
  return { first: String(read('main.js')), later: files.map(read) }
}

const hashesIn = (script: string): string[] => script.match(/sha384-[A-Za-z0-9+/]{64}/g) ?? []

describe('the hashes of later scripts', () => {
  it('are all in the first script, of the files as they were written', async () => {
    const { first, later } = await buildChunks('one')
    expect(later).toHaveLength(2)
    expect(hashesIn(first).sort()).toEqual(later.map(sha384).sort())
    expect(first).toContain('.integrity=')
  })

  it('change with a script, so that an altered one is not run', async () => {
    const [one, two] = [await buildChunks('one'), await buildChunks('two')]
    const changed = hashesIn(two.first).filter((hash) => !hashesIn(one.first).includes(hash))
    expect(changed).toHaveLength(1)
    expect(two.later.map(sha384)).toContain(changed[0])
  })

  it('are the same for the same sources', async () => {
    expect((await buildChunks('one')).first).toBe((await buildChunks('one')).first)
  })
})
