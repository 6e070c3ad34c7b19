import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { listParts, workspace } from '@dmp/build/workspace'
import type { Registry, ReleaseRef } from '@dmp/contract/release'
import { activate } from './activate.ts'
import { drawPages } from './drawn/drawPages.ts'
import { publish } from './publish.ts'
import type { Signer } from './signing/keyPair.ts'
import type { ReleaseStore } from './store/ReleaseStore.ts'
import { openFolderStore } from './store/folderStore.ts'

/**
 * Publishes every built part of this workspace and makes the result live in one move. Does nothing if it is live
 * already.
 *
 * @param target the store, or its folder
 * @param signer signs the releases; parts with keys refuse others
 */
export async function publishAll(
  target: ReleaseStore | string,
  by = 'local build',
  signer?: Signer,
): Promise<Registry> {
  const store = typeof target === 'string' ? openFolderStore(target) : target
  const parts = await publishParts(store, { signer })
  await drawPages(store, parts, { signer, log: console.warn })
  return activate(store, { parts }, { by })
}

/** Publishes those of the built parts of this workspace that are named, or all; nothing becomes live by that. */
export async function publishParts(
  store: ReleaseStore,
  {
    only,
    commit = sourceCommit(),
    signer,
  }: {
    readonly only?: readonly string[] | undefined
    readonly commit?: string
    readonly signer?: Signer | undefined
  } = {},
): Promise<ReleaseRef[]> {
  const builtParts = listParts().filter(
    ({ name, folder }) => (only?.includes(name) ?? true) && existsSync(path.join(folder, 'dist/build.json')),
  )
  const releases = await Promise.all(
    builtParts.map((part) => publish(store, path.join(part.folder, 'dist'), { commit, signer })),
  )
  return releases.map(({ name, releaseId }) => ({ name, releaseId }))
}

/** The commit of the sources, followed by `+` if there are uncommitted changes; `unknown` outside a repository. */
export function sourceCommit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '+'}`
  } catch {
    return 'unknown'
  }
}
