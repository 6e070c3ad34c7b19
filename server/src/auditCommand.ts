import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toCommandLocation } from './databaseLocation.ts'
import { openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { readKeys } from './identity/keys.ts'
import { adviseOn, describeBreak } from './modules/audit/chainBreak.ts'
import { nameChains } from './modules/audit/chainCheck.ts'
import { walkChains, type Verdict } from './modules/audit/chainWalk.ts'
import { readHeads } from './modules/audit/heads.ts'
import { readKeyedSince } from './modules/audit/keyedSince.ts'
import type { Settings } from './settings/settings.ts'
import { StartFailure } from './core/StartFailure.ts'

interface Options {
  /** Further files that hold heads: logs, saved mails, copies. */
  readonly heads: readonly string[]
  readonly json: boolean
}

/** For pipelines; people get sentences. */
interface Result extends Verdict {
  readonly isIntact: boolean
  /** Without a head nobody can say that nothing is missing. */
  readonly isJudged: boolean
  readonly seconds: number
}

/**
 * Walks every audit chain and writes the verdict. It starts no server and appends nothing, so that what is examined
 * stays as it was found. Returns the exit code: 0 where everything is intact, 2 where a chain is broken,
 * and 1 where no heads say what there should be.
 */
export async function auditChains(settings: Settings, { heads, json }: Options): Promise<number> {
  const missing = heads.find((file) => !existsSync(file))
  if (missing !== undefined)
    throw new StartFailure(`There is no file ${missing}. Name a log, a saved mail or a copy of the heads.`)
  // A wrong folder would be taken for an empty installation.
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'database')))
    throw new StartFailure(`There is no database in ${settings.dataDir}. Correct DMP_DATA_DIR, or set DATABASE_URL.`)
  const keys = await readKeys(settings)
  const database = await openDatabase(toCommandLocation(settings))
  try {
    await migrate(database.db, settings)
    const began = performance.now()
    const known = readKeyedSince(settings, keys.audit)
    const verdict = await walkChains({ db: database.db, keys: keys.audit, heads: readHeads(settings, heads), known })
    const seconds = Math.round(performance.now() - began) / 1000
    const isBroken = verdict.breakCount > 0
    const isJudged = isBroken || verdict.heads > 0 || (verdict.rows === 0 && known === undefined)
    const result: Result = { isIntact: isJudged && !isBroken, isJudged, seconds, ...verdict }
    const names = await nameChains(database.db, [...new Set(verdict.breaks.map(({ chain }) => chain))])
    process.stdout.write(`${json ? JSON.stringify(result, null, 1) : format(result, names)}\n`)
    return isBroken ? 2 : isJudged ? 0 : 1
  } finally {
    await database.close()
  }
}

const shownBreaks = 10

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

function format(
  { rows, chains, heads, seconds, breaks, breakCount, isJudged }: Result,
  names: ReadonlyMap<string, string>,
): string {
  const walked = `Walked ${count(rows, 'record')} of ${count(chains, 'chain')} in ${seconds.toFixed(1)} s and compared them with ${count(heads, 'head')} written elsewhere.`
  const lines = breaks
    .slice(0, shownBreaks)
    .flatMap((found) => [
      `${names.get(found.chain) ?? found.chain} (chain ${found.chain}): ${describeBreak(found)}`,
      `  ${adviseOn(found)}`,
    ])
  return [
    walked,
    ...(heads === 0
      ? [
          'No heads were found, so deleted or rewritten records cannot be seen. Name a log or a saved mail with --heads.',
        ]
      : []),
    ...(breakCount === 0
      ? [
          isJudged
            ? 'All records are intact.'
            : 'Not judged: the records fit one another, and nothing says whether they are those of before.',
        ]
      : [`Broken at ${count(breakCount, 'place')}. The first:`, ...lines]),
  ].join('\n')
}
