import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type webpack from 'webpack'
import { compile } from './build.ts'

/** What a plugin writes of a source, as JSON. Packages are no part of the build, as remotes have it. */
export async function buildWith(plugin: webpack.WebpackPluginInstance, file: string, source: string): Promise<unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-plugin-'))
  writeFileSync(path.join(folder, 'main.js'), source)
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    target: ['web', 'es2022'],
    entry: './main.js',
    externals: [({ request = '' }, done) => (request.startsWith('@') ? done(undefined, 'var x') : done())],
    output: { path: path.join(folder, 'dist') },
    plugins: [plugin],
    cache: false,
  })
  return JSON.parse(readFileSync(path.join(folder, 'dist', file), 'utf8'))
}
