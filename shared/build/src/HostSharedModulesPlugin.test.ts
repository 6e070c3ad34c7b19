import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Compiler } from 'webpack'
import { compile } from './build.ts'
import { remoteFederation } from './federation.ts'
import { HostSharedModulesPlugin } from './HostSharedModulesPlugin.ts'

/** Builds a remote that uses react, and returns the code by which it takes shared modules. */
async function buildRuntime(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-shared-'))
  writeFileSync(path.join(folder, 'App.js'), `import { useState } from 'react'\nexport const App = () => useState(0)`)
  let code = ''
  const record = {
    apply: (compiler: Compiler) =>
      compiler.hooks.thisCompilation.tap('Record', (compilation) =>
        compilation.hooks.runtimeModule.tap('Record', (module) => {
          if (module.constructor.name !== 'ConsumeSharedRuntimeModule') return
          const { generate } = module
          module.generate = () => (code = generate.call(module) ?? '')
        }),
      ),
  }
  await compile({
    mode: 'production',
    context: folder,
    entry: {},
    target: ['web', 'es2022'],
    output: { path: path.join(folder, 'dist'), uniqueName: 'test' },
    plugins: [remoteFederation('remote-test', { './App': './App.js' }), new HostSharedModulesPlugin(), record],
    cache: false,
  })
  return code
}

interface WebpackRequire {
  readonly S: { readonly default: Record<string, Record<string, { get: () => Promise<() => unknown> }>> }
  readonly m: Record<string, (module: { exports: unknown }) => void>
  readonly c: Record<string, unknown>
  readonly f: { consumes?: (chunk: string | number, promises: Promise<unknown>[]) => void }
  readonly o: (object: object, key: string | number) => boolean
}

function run(code: string, scope: WebpackRequire['S']['default']) {
  const require: WebpackRequire = { S: { default: scope }, m: {}, c: {}, f: {}, o: Object.hasOwn }
  new Function('__webpack_require__', code)(require)
  const chunk = Object.keys(JSON.parse(/needed = (\{.*?\})/.exec(code)![1]!) as object)[0]!
  const take = async (): Promise<void> => {
    const promises: Promise<unknown>[] = []
    require.f.consumes?.(chunk, promises)
    await Promise.all(promises)
  }
  return { require, take }
}

describe('shared modules of the host', () => {
  let code = ''
  beforeAll(async () => {
    code = await buildRuntime()
  })

  it('are taken once, however many chunks need them', async () => {
    let takes = 0
    const react = { useState: () => 0 }
    const get = async () => ((takes += 1), () => react)
    const { require, take } = run(code, { react: { '19.0.0': { get } } })
    await Promise.all([take(), take()])
    const module = { exports: {} as unknown }
    Object.values(require.m)[0]?.(module)
    expect([takes, module.exports]).toEqual([1, react])
  })

  it('are named when the host lacks one, and can be taken later', async () => {
    const scope: WebpackRequire['S']['default'] = {}
    const { take } = run(code, scope)
    await expect(take()).rejects.toThrow("Shared module react doesn't exist in shared scope default")
    scope.react = { '19.0.0': { get: async () => () => ({}) } }
    await expect(take()).resolves.toBeUndefined()
  })
})
