import { containerGlobal } from '../../shared/build/src/federation.ts'

/**
 * The files of a remote that nothing of ours builds: webpack and plain `@module-federation/enhanced`, after that
 * package's own documentation, as docs/own-repository.md shows it.
 */
export const createPlainRemote = (name: string, folder: string): Record<string, string> => ({
  [`${folder}/remote.json`]: JSON.stringify({
    name,
    title: 'Plain',
    version: '1.0.0',
    routes: [{ prefix: '/plain', guard: 'session' }],
    navigation: [],
    cards: [],
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
  }),
  [`${folder}/src/App.js`]: `import { createElement, useState } from 'react'
export const App = () => {
  const [count, setCount] = useState(0)
  return createElement('button', { onClick: () => setCount(count + 1) }, 'Clicked ' + count)
}
`,
  [`${folder}/build.mjs`]: `import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack from 'webpack'

const compiler = webpack({
  mode: 'production',
  context: import.meta.dirname,
  entry: {},
  output: { path: path.join(import.meta.dirname, 'dist'), publicPath: 'auto' },
  plugins: [
    new ModuleFederationPlugin({
      name: '${containerGlobal(name)}',
      filename: 'remoteEntry.js',
      exposes: { './App': './src/App.js' },
      shared: { react: { singleton: true, import: false, requiredVersion: '^19.0.0' } },
      experiments: { externalRuntime: true },
      dts: false,
    }),
  ],
})
compiler.run((error, stats) => {
  if (error ?? stats?.hasErrors()) throw error ?? new Error(stats?.toString())
  compiler.close(() => undefined)
})
`,
})
