import path from 'node:path'
import { build } from '@dmp/build/build'
import { parts } from '@dmp/build/workspace'
import type { Registry } from '@dmp/contract/release'
import { activate, partsOf, Refused, rollback } from './activate.ts'
import { refusals } from './compatibility.ts'
import { publish } from './publish.ts'
import { sourceCommit } from './publishAll.ts'
import { openStore, readRegistry, readRelease, readSnapshot, releasesOf, StoreError, type Store } from './store.ts'

/** Exit codes: 0 done, 1 refused or failed, 2 not understood. */
const help = `npm run release -- <command> [part] [--json] [--reason "…"]

  publish  remote-scan     build it and put the release into the store; nothing becomes live
  check    remote-scan     build and publish it, then say whether it could become live now
  activate remote-scan     build, publish and make it live in one step
  rollback [remote-scan]   back to what was live before, all of it or one part
  status                   what is live, since when, by whom
  history                  every move of the registry, newest first
  diff     remote-scan     what is live beside what this checkout would make live

The store is ${'${DMP_DATA_DIR:-.data}'}/releases, or the folder given with --store.`

interface Words {
  readonly command: string
  readonly part: string | undefined
  readonly isJson: boolean
  readonly store: Store
  readonly reason: string | undefined
  readonly by: string
}

const commands: Readonly<Record<string, (words: Words) => Promise<unknown>>> = {
  publish: async (words) => published(words),
  check: async (words) => {
    const release = await published(words)
    const found = refusalsOf(words.store, release)
    if (found.length > 0) throw new Refused(found)
    return { ...release, verdict: 'could become live now' }
  },
  activate: async (words) => {
    const { name, releaseId } = await published(words)
    return moved(words.store, await activate(words.store, { parts: [{ name, releaseId }] }, authorOf(words)))
  },
  rollback: async (words) => moved(words.store, await rollback(words.store, { ...authorOf(words), ...(words.part === undefined ? {} : { part: words.part }) })),
  status: async ({ store }) => statusOf(store),
  history: async ({ store }) => live(store).history,
  diff: async (words) => {
    const release = await published(words)
    const now = partsOf(readSnapshot(words.store, live(words.store).live)).find(({ name }) => name === release.name)
    return { live: now === undefined ? null : briefly(words.store, release.name, now.releaseId), here: release }
  },
}

async function published({ part, store }: Words) {
  const found = parts().find(({ name }) => name === part)
  if (found === undefined) throw new StoreError(`Name a part: ${parts().map(({ name }) => name).join(', ')}.`)
  await build({ only: [found.name] })
  const { name, releaseId } = await publish(store, path.join(found.folder, 'dist'), { commit: sourceCommit() })
  return briefly(store, name, releaseId)
}

function briefly(store: Store, name: string, releaseId: string) {
  const { files, commit, publishedAt, declaration } = readRelease(store, name, releaseId)
  return { name, releaseId, version: declaration?.version ?? '', commit, publishedAt, files: files.length, brotliBytes: files.reduce((sum, { brotli }) => sum + brotli, 0) }
}

function refusalsOf(store: Store, { name, releaseId }: { name: string; releaseId: string }) {
  const refs = partsOf(readSnapshot(store, live(store).live)).filter((ref) => ref.name !== name && ref.name !== 'viewer')
  const all = [...refs, { name, releaseId }].map((ref) => readRelease(store, ref.name, ref.releaseId))
  const host = all.find((release) => release.name === 'host')
  if (host === undefined) throw new StoreError('No host is live. Activate a host first.')
  return refusals(host, all.filter((release) => release.name.startsWith('remote-')))
}

function statusOf(store: Store) {
  const { version, live: id, history } = live(store)
  const rows = partsOf(readSnapshot(store, id)).map(({ name, releaseId, previous }) => {
    const since = history.filter(({ parts: changed }) => changed.includes(name))[0]
    return { ...briefly(store, name, releaseId), previous: previous ?? null, liveSince: since?.at ?? null, by: since?.by ?? null, known: releasesOf(store, name).length }
  })
  return { version, snapshot: id, parts: rows }
}

const moved = (store: Store, { version, live: snapshot, history }: Registry) => ({ version, snapshot, changed: history[0]?.parts ?? [], parts: partsOf(readSnapshot(store, snapshot)) })

function live(store: Store): Registry {
  const registry = readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live in this store yet. Run npm run build first.')
  return registry
}

const authorOf = ({ by, reason }: Words) => ({ by, ...(reason === undefined ? {} : { reason }) })

/**
 * `npm run release -- …`. Answers the exit code.
 *
 * @param words what was typed after the command's name
 * @param place the data folder, and who does it
 */
export async function release(words: readonly string[], place: { dataFolder: string; by: string }): Promise<number> {
  const after = (name: string): string | undefined => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const plain = words.filter((word, index) => !word.startsWith('--') && !['--reason', '--store', '--by'].includes(words[index - 1] ?? ''))
  const [command = '', part] = plain
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (run === undefined) {
    console.error(command === '' ? help : `There is no "${command}".\n\n${help}`)
    return 2
  }
  const isJson = words.includes('--json')
  try {
    const result = await run({ command, part, isJson, store: openStore(after('--store') ?? path.join(place.dataFolder, 'releases')), reason: after('--reason'), by: after('--by') ?? place.by })
    print(result, isJson)
    return 0
  } catch (error) {
    if (isJson) print({ error: error instanceof Error ? error.message : String(error), refusals: error instanceof Refused ? error.refusals : [] }, true)
    else console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

function print(result: unknown, isJson: boolean): void {
  const write = (text: string): void => void process.stdout.write(`${text}\n`)
  if (isJson) write(JSON.stringify(result))
  else if (Array.isArray(result)) result.forEach((row) => write(lineOf(row)))
  else for (const [key, value] of Object.entries(result as object)) write(Array.isArray(value) ? `${key}\n${value.map((row) => `  ${lineOf(row)}`).join('\n')}` : `${key.padEnd(12)} ${lineOf(value)}`)
}

function lineOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '–')
  return Object.values(value).map((cell) => (Array.isArray(cell) ? cell.join(',') : String(cell ?? '–'))).join('  ')
}
