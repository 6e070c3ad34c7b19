import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { workspace } from './workspace.ts'

/** `production`: minified, what is released. `development`: readable, with source maps. */
export type Mode = 'production' | 'development'

let cachedHash: string | undefined

/** Changes when the build itself or an installed package does: caches and outputs made by another toolchain are stale. */
export function toolchainHash(): string {
  if (cachedHash !== undefined) return cachedHash
  const hash = createHash('sha256')
    .update(readFileSync(path.join(workspace, 'pnpm-lock.yaml')))
    .update(readFileSync(path.join(import.meta.dirname, '../tsconfig.loader.json')))
  for (const file of readdirSync(import.meta.dirname).sort()) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts'))
      hash.update(readFileSync(path.join(import.meta.dirname, file)))
  }
  cachedHash = hash.digest('hex').slice(0, 16)
  return cachedHash
}
