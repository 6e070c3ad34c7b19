import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { listRemotes, root } from '../workspace/files.ts'
import { watchServer } from './watchServer.ts'

// The server starts anew when a file that it imports changes; screens are built and published again, and show at the
// next load of a page.
const screens = ['host', ...listRemotes(), 'viewer', 'shared/contract', 'shared/dicom', 'shared/kit']

/** `npm run dev`: the whole product, everything that is edited. */
export async function watchProduct(): Promise<void> {
  await buildAndPublish()
  const server = watchServer()
  server.on('exit', (code) => process.exit(code ?? 1))

  let isBuilding = false
  let isBehind = false
  let timer: NodeJS.Timeout | undefined
  const rebuild = async (): Promise<void> => {
    isBehind = true
    if (isBuilding) return
    isBuilding = true
    while (isBehind) {
      isBehind = false
      await buildAndPublish()
    }
    isBuilding = false
  }
  for (const folder of screens) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file || /(^|[\\/])(dist|node_modules|\.[^\\/]*)([\\/]|$)|\.test\.tsx?$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => void rebuild(), 120)
    })
  }
}

async function buildAndPublish(): Promise<void> {
  try {
    await buildStale()
    await publishBuilt()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}
