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
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    hash.update(path.basename(file) === 'pnpm-lock.yaml' ? withoutRemotes(text) : text)
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * The lock file without what it says of each remote: that follows from the remote's own package.json, which counts for
 * its own build. A new remote leaves the builds and caches of all others as they are.
 */
export function withoutRemotes(lock: string): string {
  let section = ''
  let isRemote = false
  const isKept = (line: string): boolean => {
    if (/^\S/.test(line)) [section, isRemote] = [line, false]
    else if (/^ {2}\S/.test(line)) isRemote = section === 'importers:' && line.startsWith('  remote-')
    return !isRemote
  }
  return lock.split('\n').filter(isKept).join('\n')
}

/** The build's own sources, without its tests; compiled where it was installed as a package. */
export const listTools = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))
