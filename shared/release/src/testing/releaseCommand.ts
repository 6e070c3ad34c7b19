import { activate } from '../activate.ts'
import { release, type Defaults } from '../cli.ts'
import { publish } from '../publish.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { aBuild, aStore } from './aBuild.ts'

export const defaults: Defaults = { store: '/nowhere', by: 'ann' }

/** Runs `npm run release -- …` on a store. */
export const runOn = (store: FolderStore, args: readonly string[], more: Partial<Defaults> = {}): Promise<number> =>
  release([...args, '--store', store.folder], { ...defaults, ...more })

export const publishScan = (store: FolderStore, code: string, over = {}) =>
  publish(store, aBuild('remote-scan', code, over), { commit: 'abc' })

/** A store in which two releases of remote-scan went live one after the other. */
export async function storeWithTwoMoves(): Promise<FolderStore> {
  const store = aStore()
  for (const code of ['one', 'two']) {
    const releases = await Promise.all([
      publish(store, aBuild('host', 'one'), { commit: 'abc' }),
      publishScan(store, code),
    ])
    await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  }
  return store
}

/** The output of the command since the test began. */
export const printed: string[] = []

export const printedJson = (): Record<string, unknown> => JSON.parse(printed.at(-1) ?? '') as Record<string, unknown>

/** Collects the output of each test in `printed`. */
export function captureOutput(): void {
  beforeEach(() => {
    printed.length = 0
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    jest.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
  })
  afterEach(() => jest.restoreAllMocks())
}
