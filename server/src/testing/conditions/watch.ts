import { appendFileSync } from 'node:fs'
import { PGliteDriver, PostgresDriver, type CompiledQuery, type DatabaseConnection } from 'kysely'
import { conditionsFile } from '../../settings/settings.ts'
import { ConditionJudge } from './judge.ts'

/**
 * Loaded before Jest by `npm run mutate -- --conditions`: every statement of every database of the tests is judged, and
 * what is found is written as lines of JSON behind the file of `TEST_CONDITIONS`.
 */
const file = conditionsFile()
const judge = new ConditionJudge((finding) => appendFileSync(file, `${JSON.stringify(finding)}\n`))
const watched = new WeakSet<object>()

for (const { prototype } of [PGliteDriver, PostgresDriver]) {
  const acquire = prototype.acquireConnection
  prototype.acquireConnection = async function () {
    const connection = await acquire.call(this)
    watch(Object.getPrototypeOf(connection) as DatabaseConnection)
    return connection
  }
}

function watch(connections: DatabaseConnection): void {
  if (watched.has(connections)) return
  watched.add(connections)
  const { executeQuery } = connections
  connections.executeQuery = async function <R>(statement: CompiledQuery) {
    const place = findPlace(new Error().stack ?? '')
    await judge.judge(this, statement, (one) => executeQuery.call(this, one), place)
    return executeQuery.call<DatabaseConnection, [CompiledQuery], ReturnType<typeof executeQuery<R>>>(this, statement)
  }
}

/** The line of the product that asked, as `modules/scan/reading/scanSearch.ts:12`. */
const findPlace = (stack: string): string =>
  stack
    .split('\n')
    .map((line) => /\/server\/src\/((?!db\/|testing\/|core\/)[^:]+:\d+)/.exec(line)?.[1])
    .find((place) => place !== undefined && !place.includes('.test.ts')) ?? '?'
