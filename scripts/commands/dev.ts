import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildStale, publishBuilt } from '../releases.ts'
import { node } from '../stage.ts'
import { remotes, root } from '../tree.ts'

// The server starts anew when a file that it imports changes; screens are built and published again, and show at the next load of a page.
const screens = ['host', ...remotes(), 'viewer', 'shared/contract', 'shared/kit']

await bring()
const server = spawn(node, ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output', join(root, 'server/src/main.ts')], {
  stdio: 'inherit',
  env: { ...process.env, DMP_DEMO: '1' },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal)
    process.exit(0)
  })
}
server.on('exit', (code) => process.exit(code ?? 1))

let isBuilding = false
let isBehind = false
let timer: NodeJS.Timeout | undefined
for (const folder of screens) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || /(^|[\\/])(dist|node_modules|\.[^\\/]*)([\\/]|$)|\.test\.tsx?$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void rebuild(), 120)
  })
}

async function rebuild(): Promise<void> {
  isBehind = true
  if (isBuilding) return
  isBuilding = true
  while (isBehind) {
    isBehind = false
    await bring()
  }
  isBuilding = false
}

async function bring(): Promise<void> {
  try {
    await buildStale()
    await publishBuilt()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}
