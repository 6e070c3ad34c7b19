import { execFile } from 'node:child_process'
import path from 'node:path'
import type { Release } from '@dmp/contract/release'
import { listWentLive } from '../moveHistory.ts'
import { publish } from '../publish.ts'
import { createKeyPair, readSigner, type Signer } from '../signing/keyPair.ts'
import { addReleaseKey, revokeReleaseKey } from '../signing/releaseKeys.ts'
import { readRegistry, readSnapshot, swapRegistry, writeSnapshot, type ReleaseStore } from '../store/ReleaseStore.ts'
import { aBuild } from './aBuild.ts'

/** A team's key: both halves, and what signs with it. */
export interface TestKey {
  readonly name: string
  readonly privateKey: string
  readonly publicKey: string
  readonly keyId: string
  readonly signer: Signer
}

export function aKey(name: string): TestKey {
  const pair = createKeyPair()
  return { name, ...pair, signer: readSigner({ DMP_RELEASE_KEY: pair.privateKey })! }
}

export async function register(store: ReleaseStore, part: string, key: TestKey, signedBy?: TestKey): Promise<void> {
  const known = await listWentLive(store, part)
  await addReleaseKey(store, part, key, { by: 'test', signer: signedBy?.signer, known })
}

export async function revoke(store: ReleaseStore, part: string, key: TestKey): Promise<void> {
  const known = await listWentLive(store, part)
  await revokeReleaseKey(store, part, key.name, { by: 'test', signer: undefined, known })
}

export const publishAs = (store: ReleaseStore, part: string, code: string, key?: TestKey): Promise<Release> =>
  publish(store, aBuild(part, code), { commit: 'abc', signer: key?.signer })

/** What somebody does who may write to the store and asks no command: makes a release live. */
export async function forceLive(store: ReleaseStore, { name, releaseId }: Release): Promise<void> {
  const registry = (await readRegistry(store))!
  const live = await readSnapshot(store, registry.live)
  const remotes = [...live.remotes.filter((ref) => ref.name !== name), { name, releaseId }]
  const snapshot = await writeSnapshot(store, { ...live, remotes })
  const version = registry.version + 1
  const move = { version, snapshot, change: 'activate' as const, parts: [name], by: 'x', at: new Date().toISOString() }
  await swapRegistry(store, { ...registry, version, live: snapshot, history: [move, ...registry.history] })
}

const command = path.resolve(import.meta.dirname, '../../../../scripts/commands/release.ts')

export interface Ran {
  readonly code: number
  readonly text: string
}

/** Runs `npm run release -- …` as a process of its own, with no variable of ours beside those named. */
export function runProcess(
  store: { readonly folder: string },
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('DMP_'))
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', command, ...args, '--by', 'ann'],
      { env: { ...Object.fromEntries(foreign), DMP_RELEASES: store.folder, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` }),
    )
  })
}
