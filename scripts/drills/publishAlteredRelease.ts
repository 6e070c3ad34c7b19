import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BuildRecord, Release } from '../../shared/contract/src/release.ts'
import { toIntegrity, publish, releaseKey, type ReleaseStore } from '../../shared/release/src/index.ts'

/**
 * Publishes another release of a part: its first screen is changed, and its first script names the new hash, as a build
 * would have made it. Of the host, whose own code is in its first script, that is changed.
 *
 * @param change from the script to what it is in the new release
 */
export async function publishAlteredRelease(
  store: ReleaseStore,
  original: Release,
  commit: string,
  change: (script: string) => string,
): Promise<Release> {
  const { files, releaseId, commit: _commit, publishedAt: _publishedAt, ...record } = original
  const contents = new Map<string, Buffer>()
  for (const { path } of files)
    contents.set(path, (await store.read(releaseKey(original.name, releaseId, path))) ?? Buffer.alloc(0))
  // Styles may stand before it.
  const screen = record.chunks['./App']?.find((file) => file.endsWith('.js')) ?? record.entry
  const previousContent = contents.get(screen) ?? Buffer.alloc(0)
  const nextContent = Buffer.from(change(previousContent.toString('utf8')))
  contents.set(screen, nextContent)
  const entry = (contents.get(record.entry) ?? Buffer.alloc(0))
    .toString('utf8')
    .replace(toIntegrity(previousContent), toIntegrity(nextContent))
  contents.set(record.entry, Buffer.from(entry))
  const dist = mkdtempSync(join(tmpdir(), 'dmp-edition-'))
  try {
    for (const [path, content] of contents) {
      mkdirSync(dirname(join(dist, path)), { recursive: true })
      writeFileSync(join(dist, path), content)
    }
    writeFileSync(join(dist, 'build.json'), JSON.stringify(record satisfies BuildRecord))
    return await publish(store, dist, { commit })
  } finally {
    rmSync(dist, { recursive: true, force: true })
  }
}
