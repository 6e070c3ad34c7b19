import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import { openFolderStore, type FolderStore } from '../store/folderStore.ts'

/** A folder of its own for one test. */
export const aFolder = (): string => mkdtempSync(path.join(tmpdir(), 'dmp-release-'))

/** A store in which nothing is written or removed until somebody waits for it: who forgets that finds no change. */
export function aStore(): FolderStore {
  const store = openFolderStore(path.join(aFolder(), 'releases'))
  return {
    ...store,
    add: (key, content) => onceAwaited(() => store.add(key, content)),
    remove: (key) => onceAwaited(() => store.remove(key)),
  }
}

function onceAwaited<T>(begin: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined
  const read = (_nothing: object, key: string | symbol): unknown => {
    begun ??= begin()
    const value: unknown = Reflect.get(begun, key)
    return typeof value === 'function' ? (value.bind(begun) as unknown) : value
  }
  return new Proxy({}, { get: read }) as Promise<T>
}

const provides = { react: '19.3.1', '@dmp/kit': '1.0.0', '@dmp/contract': '1.0.0' }

/** A finished build of the named part, as `@dmp/build` leaves it. `code` makes it a different one. */
export function aBuild(
  name: string,
  code: string,
  over: { routes?: readonly string[]; kit?: string; record?: Partial<BuildRecord> } = {},
): string {
  const dist = path.join(aFolder(), name)
  mkdirSync(dist)
  const isHost = name === 'host'
  const entry = isHost ? 'main.js' : 'remoteEntry.js'
  const record: BuildRecord = {
    name,
    declaration: {
      name,
      title: name,
      version: '1.0.0',
      routes: (over.routes ?? [isHost ? '/dashboard' : `/${name.replace('remote-', '')}`]).map((prefix) => ({
        prefix,
        guard: 'session' as const,
      })),
      navigation: [],
      cards: [],
      needs: { contract: '^1.0.0', kit: over.kit ?? '^1.0.0' },
    },
    entry,
    initial: [],
    chunks: isHost ? {} : { './App': ['App.js'] },
    uses: {},
    provides: isHost ? provides : {},
    consumes: isHost ? {} : { react: '^19.0.0' },
    ...over.record,
  }
  writeFileSync(path.join(dist, 'build.json'), JSON.stringify(record))
  writeFileSync(path.join(dist, entry), `/* ${name} */ ${code}`)
  if (!isHost) writeFileSync(path.join(dist, 'App.js'), `/* App of ${name} */ ${code}`)
  return dist
}
