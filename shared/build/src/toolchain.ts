import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findLockFile } from './workspace.ts'

/** `production`: minified, for releases. `development`: readable, with source maps. */
export type Mode = 'production' | 'development'

let cachedHash: string | undefined

/** Changes when the build or an installed package changes: outputs and caches of another toolchain are stale. */
export function toolchainHash(): string {
  const lockFile = findLockFile()
  cachedHash ??= hashToolchain([
    ...(lockFile === undefined ? [] : [lockFile]),
    path.join(import.meta.dirname, '../tsconfig.loader.json'),
    ...listTools(import.meta.dirname),
  ])
  return cachedHash
}

export function hashToolchain(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** The build's own sources, without its tests; compiled where it was installed as a package. */
export const listTools = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))
