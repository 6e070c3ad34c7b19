import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import type { FolderStore } from '@dmp/release/store/folderStore'

/** The content of every file of a build. */
export const code = 'x'.repeat(4000)

/** A finished build as the build leaves it. */
export function aBuild(name: string, routes: string[], mark = ''): string {
  const dist = path.join(mkdtempSync(path.join(tmpdir(), 'dmp-gateway-')), name)
  mkdirSync(dist)
  const isHost = name === 'host'
  const files = isHost ? ['main.js', 'main.css', 'table.js'] : ['remoteEntry.js', 'App.js', 'worklist.js']
  for (const file of files) writeFileSync(path.join(dist, file), `${code}${mark}`)
  // Packs each file once.
  writeFileSync(path.join(dist, 'words.woff2'), code)
  const record = {
    name,
    // The viewer owns no route.
    ...(routes.length > 0 && {
      declaration: {
        name,
        title: name,
        version: '1.0.0',
        routes: routes.map((prefix) => ({ prefix, guard: 'session' })),
        navigation: [],
        cards: [],
        needs: { contract: '^1.0.0', kit: '^1.0.0' },
      },
    }),
    entry: files[0],
    initial: isHost ? ['main.css'] : [],
    chunks: isHost ? { '@dmp/kit/table': ['table.js'] } : { './App': ['App.js'], './App/worklist': ['worklist.js'] },
    uses: isHost ? {} : { './App': ['@dmp/kit', '@dmp/kit/table'], './App/worklist': ['@dmp/kit/table'] },
    provides: isHost ? { '@dmp/kit': '1.0.0', '@dmp/kit/table': '1.0.0', '@dmp/contract': '1.0.0' } : {},
    consumes: isHost ? {} : { '@dmp/kit': '^1.0.0' },
  }
  writeFileSync(path.join(dist, 'build.json'), JSON.stringify(record))
  return dist
}

/** Publishes the builds and makes them live. */
export async function put(store: FolderStore, ...builds: string[]): Promise<void> {
  const releases = await Promise.all(builds.map((dist) => publish(store, dist, { commit: 'abc' })))
  await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
}
