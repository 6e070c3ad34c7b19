import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openObjectReader, toDiskSpace } from '../createDependencies.ts'
import type { Database } from '../db/client.ts'
import { createWriter } from '../db/write.ts'
import { readKeys, type Keys } from '../identity/keys.ts'
import { walkChains } from '../modules/audit/chainWalk.ts'
import { readHeads } from '../modules/audit/heads.ts'
import { readKeyedSince } from '../modules/audit/keyedSince.ts'
import { checkHeaders } from '../modules/scan/check/headers.ts'
import { checkOrphans, checkRows, type StoreProblem } from '../modules/scan/check/storedBytes.ts'
import { checkTotals } from '../modules/scan/check/totals.ts'
import { recoverObjects } from '../modules/scan/intake/objectRecovery.ts'
import { openEncryption } from '../outside/encryption/encryption.ts'
import { openObjectStore } from '../outside/openObjectStore.ts'
import type { Settings } from '../settings/settings.ts'

const megabyte = 2 ** 20
const dayMs = 24 * 3_600_000
/** Others may be in the middle of an upload. */
const othersMs = 3_600_000
const shownProblems = 50

const advice: Readonly<Record<StoreProblem['kind'], string>> = {
  missing:
    'Objects without bytes. Restore their files from a backup, or have them uploaded again: the same file fills the gap.',
  damaged: 'Objects whose bytes were changed or cut. Restore their files from a backup.',
  locked: 'Objects under a key that is not there. Add the master key to DMP_ENCRYPTION_KEY.',
  'without row': 'Bytes that no row names. npm run fsck -- --repair removes them.',
  'without header':
    'Images whose headers lack what their series had in common. npm run fsck -- --repair reads them again from their objects.',
  'wrong count':
    'Counts that differ from what is counted. npm run fsck -- --repair corrects those of series and organizations; an empty study does no harm.',
  'left over':
    'Leftovers of interrupted uploads. npm run fsck -- --repair removes them; a running server does so by itself.',
  'removal due': 'Bytes of deleted scans that are still to be removed. npm run fsck -- --repair removes them.',
  'audit chain': 'Broken audit chains. npm run admin -- audit names each break.',
}

interface InstallationCheck {
  readonly repairs: boolean
  readonly bytesPerSecond: number
  /** Bytes of others lie beside those of its rows. */
  readonly isShared?: boolean
}

/** Reads everything that the database names, and what it does not. */
export async function checkInstallation(
  database: Database,
  settings: Settings,
  { repairs, bytesPerSecond, isShared = false }: InstallationCheck,
): Promise<StoreProblem[]> {
  const { db } = database
  const keys = await readKeys(settings)
  const write = createWriter(db, keys.audit)
  const encryption = await openEncryption(settings, db, write)
  const objects = await openObjectStore(settings, db, encryption, toDiskSpace(settings))
  const reader = openObjectReader(settings)
  const problems: StoreProblem[] = []
  const report = (problem: StoreProblem): void => void problems.push(problem)
  const olderThanMs = database.pool ? othersMs : 0

  await checkLeftovers(database, settings, repairs, report)
  if (repairs) await recoverObjects(db, objects, olderThanMs)
  await checkRows({ db, objects, bytesPerSecond, onProgress: createProgress(), report })
  if (!isShared) await checkOrphans({ db, objects, olderThanMs, repairs, report })
  await checkHeaders({ db, objects, encryption, reader, repairs, report }).finally(() => reader.close())
  await checkTotals({ db, write, repairs, report })
  await checkChains(database, settings, keys, report)
  return problems
}

/** What a server that runs sweeps by itself, within a day. */
async function checkLeftovers(
  { db }: Database,
  { dataDir }: Settings,
  repairs: boolean,
  report: (problem: StoreProblem) => void,
): Promise<void> {
  for (const folder of ['incoming', 'uploads']) {
    const path = join(dataDir, folder)
    const names = existsSync(path) ? readdirSync(path) : []
    const old = names.filter((name) => Date.now() - statSync(join(path, name)).mtimeMs > dayMs)
    // Those of resumable uploads are the running server's to remove: it knows which of them go on.
    if (old.length > 0)
      report({
        kind: 'left over',
        what: `${folder}/ has ${old.length} of more than a day ago`,
        isRepaired: repairs && folder === 'incoming',
      })
  }
  const { due } = await db
    .selectFrom('object_removals')
    .select(({ fn }) => fn.countAll<string>().as('due'))
    .where('created_date', '<=', new Date(Date.now() - dayMs))
    .executeTakeFirstOrThrow()
  if (Number(due) > 0) report({ kind: 'removal due', what: `${due} objects`, isRepaired: repairs })
}

/** Of a copy of the database, too. */
export async function checkChains(
  { db }: Database,
  settings: Settings,
  keys: Keys,
  report: (problem: StoreProblem) => void,
): Promise<void> {
  const known = readKeyedSince(settings, keys.audit)
  const { breakCount } = await walkChains({ db, keys: keys.audit, heads: readHeads(settings, []), known })
  if (breakCount > 0) report({ kind: 'audit chain', what: `${breakCount} breaks`, isRepaired: false })
}

/** For who sits before a terminal: a timer's mail or a monitor wants the end of it. */
function createProgress(): (instances: number, bytes: number) => void {
  let told = performance.now()
  return (instances, bytes) => {
    if (!process.stderr.isTTY || performance.now() - told < 5000) return
    told = performance.now()
    process.stderr.write(`${instances} objects, ${Math.round(bytes / megabyte)} MB read\n`)
  }
}

/** What an operator reads. */
export function formatProblems(problems: readonly StoreProblem[]): string {
  if (problems.length === 0) return 'Everything is in order.'
  const kinds = [...new Set(problems.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const all = problems.filter((problem) => problem.kind === kind)
      const repaired = all.filter(({ isRepaired }) => isRepaired).length
      const shown = all
        .slice(0, shownProblems)
        .map(({ what, isRepaired }) => `  ${what}${isRepaired ? ' (repaired)' : ''}`)
      const more = all.length > shownProblems ? [`  and ${all.length - shownProblems} more: --json lists all`] : []
      return [`${kind}: ${all.length}, ${repaired} of them repaired. ${advice[kind]}`, ...shown, ...more].join('\n')
    })
    .join('\n\n')
}
