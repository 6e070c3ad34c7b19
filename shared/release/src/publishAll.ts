import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { listParts, workspace } from '@dmp/build/workspace'
import type { Registry } from '@dmp/contract/release'
import { activate } from './activate.ts'
import { publish } from './publish.ts'
import type { ReleaseStore } from './store/ReleaseStore.ts'
import { openFolderStore } from './store/folderStore.ts'

/**
 * Publishes every built part of this workspace into the store and makes the result live in one move. Does nothing where all
 * of it is live already.
 *
 * @param place the store, or its folder
 */
export async function publishAll(place: ReleaseStore | string, by = 'local build'): Promise<Registry> {
  const store = typeof place === 'string' ? openFolderStore(place) : place
  const built = listParts().filter((part) => existsSync(path.join(part.folder, 'dist/build.json')))
  const commit = sourceCommit()
  const releases = await Promise.all(built.map((part) => publish(store, path.join(part.folder, 'dist'), { commit })))
  return activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by })
}

/** The commit of the sources, with `+` where there are changes that are not committed; `unknown` outside a repository. */
export function sourceCommit(): string {
  try {
    const git = (...words: string[]): string =>
      execFileSync('git', words, { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}
