import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { someSettings } from '../../shared/contract/src/examples/index.ts'
import { freePort } from '../journeys/demoServer.ts'
import { copyCheckout } from '../workspace/checkoutCopy.ts'
import { node, runProcess } from '../workspace/runProcess.ts'

export type Tool = 'Vite' | 'webpack'

/** Another tool's development server, without anything of the product's, for a screen of its sources. */
export interface BareServer {
  readonly url: string
  readonly name: string
  edit(file: string, from: string, to: string): void
  restore(file: string): void
  stop(): Promise<void>
}

/** Installed when they are measured; the product does without. */
const vitePackages = ['vite@8.3.8', '@vitejs/plugin-react@6.3.0']

/** Serves "Make a complaint" from a copy of the checkout, with React's hot updates. */
export async function startBareServer(tool: Tool): Promise<BareServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-bare-'))
  const port = await freePort()
  copyCheckout(folder, (file) => /^(?:shared\/|remote-complaint\/|package\.json|tsconfig)/.test(file))
  const kit = join(folder, 'shared/kit')
  writeFileSync(join(kit, 'src/bare.tsx'), entry)
  const page = `<!doctype html><script id="dmp-settings" type="application/json">${JSON.stringify(someSettings())}</script>
<div id="root"></div>`
  const program = tool === 'Vite' ? await prepareVite(folder, kit, page, port) : prepareWebpack(folder, kit, page, port)
  const child = spawn(node, program, { cwd: kit, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const url = `http://localhost:${port}`
  while (child.exitCode === null && !(await fetch(url).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const originals = new Map<string, string>()
  return {
    url,
    name: tool === 'Vite' ? vitePackages.join(' and ') : 'webpack-dev-server',
    edit: (file, from, to) => {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      if (!originals.has(file)) originals.set(file, text)
      if (!text.includes(from)) throw new Error(`${file} has no "${from}" to edit.`)
      writeFileSync(path, text.replace(from, to))
    },
    restore: (file) => writeFileSync(join(folder, file), originals.get(file) ?? ''),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    },
  }
}

/** What the host and the shell do around a screen, as little of it as the screen needs. */
const entry = `import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { DataProvider } from './index.ts'
import { ThemeProvider } from './ui/index.ts'
import { ComplaintAddScreen } from '../../../remote-complaint/src/add/ComplaintAddScreen.tsx'

const router = createMemoryRouter([{ path: '*', element: <ComplaintAddScreen /> }])
createRoot(document.getElementById('root')!).render(
  <DataProvider><ThemeProvider><RouterProvider router={router} /></ThemeProvider></DataProvider>,
)
`

async function prepareVite(folder: string, kit: string, page: string, port: number): Promise<string[]> {
  const tools = join(folder, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'package.json'), '{"private":true}')
  const { code, text } = await runProcess('npm', ['install', '--no-audit', '--no-fund', ...vitePackages], {
    cwd: tools,
    isQuiet: true,
  })
  if (code !== 0) throw new Error(`Vite could not be installed: ${text.trim().slice(-500)}`)
  writeFileSync(join(kit, 'index.html'), `${page}<script type="module" src="/src/bare.tsx"></script>`)
  const server = { port, strictPort: true, host: 'localhost', fs: { strict: false } }
  writeFileSync(
    join(tools, 'vite.config.mjs'),
    `import react from '@vitejs/plugin-react'
export default { root: ${JSON.stringify(kit)}, server: ${JSON.stringify(server)}, plugins: [react()] }
`,
  )
  return [join(tools, 'node_modules/vite/bin/vite.js'), '--config', join(tools, 'vite.config.mjs')]
}

function prepareWebpack(folder: string, kit: string, page: string, port: number): string[] {
  mkdirSync(join(kit, 'public'))
  writeFileSync(join(kit, 'public/index.html'), `${page}<script src="/main.js"></script>`)
  const program = join(folder, 'shared/build/src/bare.ts')
  writeFileSync(
    program,
    `import { createRequire } from 'node:module'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import refreshTransformer from 'react-refresh-typescript'
import webpack from 'webpack'
import WebpackDevServer from 'webpack-dev-server'
import { typescriptRule } from './baseConfig.ts'
import { loadCompiler } from './pureContract.ts'

const require = createRequire(import.meta.url)
const refresh = () => ({ before: [refreshTransformer({ ts: loadCompiler() as never })] })
const compiler = webpack({
  mode: 'development',
  context: ${JSON.stringify(kit)},
  entry: './src/bare.tsx',
  target: ['web', 'es2022'],
  devtool: 'cheap-module-source-map',
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      { ...typescriptRule, options: { ...typescriptRule.options, getCustomTransformers: refresh } },
      { test: /\\.css$/, use: [MiniCssExtractPlugin.loader, require.resolve('css-loader')] },
    ],
  },
  plugins: [new MiniCssExtractPlugin(), new ReactRefreshPlugin({ overlay: false, esModule: true })],
  watchOptions: { aggregateTimeout: 20 },
})
const pages = ${JSON.stringify(join(kit, 'public'))}
await new WebpackDevServer({ port: ${port}, host: 'localhost', hot: true, static: pages }, compiler).start()
`,
  )
  return ['--disable-warning=ExperimentalWarning', program]
}
