import { openBrowser } from '../../e2e/bench/measure.ts'
import { openDatabase } from '../../server/src/db/client.ts'
import { startChild } from '../../server/src/testing/childServer.ts'
import { startPeople, type People, type Toll } from '../../server/src/testing/people.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { blows, settle, type Blow } from './blows.ts'
import { startBrowserPeople } from './browserPeople.ts'
import { startWorld, type World } from './world.ts'

/** The second number of the UIDs of what is uploaded. */
const root = 94

/**
 * Ten people work, eight by the API and two in browsers, while one thing after the other is taken away and given back.
 * Prints what each blow cost them, and then looks whether all that was acknowledged is there.
 *
 * @param only words of the names of blows; all of them where there are none
 * @param times how often, one round after the other
 * @returns whether nothing was lost, nobody was signed out, and every call succeeded in the end
 */
export async function chaos(only: readonly string[] = [], times = 1): Promise<boolean> {
  const world = await startWorld()
  const browser = await openBrowser(await findBrowser())
  try {
    const people = await startPeople(world.url, { looking: 4, uploading: 2, storing: 2, root })
    const inBrowsers = await startBrowserPeople(browser, world.url, 2)
    const tolls = [people.toll, inBrowsers.toll]
    try {
      console.log(row('taken away', 's', ...columns.map(([title]) => title)))
      console.log(row(...Array.from({ length: columns.length + 2 }, () => '---')))
      const chosen = blows.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
      for (let round = 1; round <= times; round += 1) for (const blow of chosen) await strike(blow, world, tolls)
    } finally {
      await Promise.all([people.end(), inBrowsers.end()])
      const faults = world.servers.flatMap((server) => server.faults())
      for (const line of [...people.complaints, ...inBrowsers.complaints, ...faults]) console.log(`  ${line}`)
    }
    const lost = await findLost(world, people)
    const isWhole = await findFaults(world)
    console.log(`\nOf ${people.sent.size} acknowledged uploads ${lost} are lost.`)
    return tolls.every((toll) => toll.failed + toll.signedOut + toll.lost === 0) && lost === 0 && isWhole
  } finally {
    await browser.close()
    await world.close()
  }
}

const columns: readonly (readonly [title: string, of: (toll: Toll) => number])[] = [
  ['calls', ({ calls }) => calls],
  ['uploads', ({ uploads }) => uploads],
  ['repeated', ({ repeated }) => repeated],
  ['failed', ({ failed }) => failed],
  ['signed out', ({ signedOut }) => signedOut],
  ['lost', ({ lost }) => lost],
]

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** Its row says what happened from the blow until everything is back, and how long somebody waited. */
async function strike(blow: Blow, world: World, tolls: readonly Toll[]): Promise<void> {
  const before = tolls.map((toll) => ({ ...toll }))
  for (const toll of tolls) toll.longestMs = 0
  const began = performance.now()
  await blow.strike(world)
  await settle(world)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const counts = columns.map(([, of]) => tolls.reduce((sum, toll, at) => sum + of(toll) - of(before[at] as Toll), 0))
  const [inCalls = 0, inBrowsers = 0] = tolls.map(({ longestMs }) => longestMs / 1000)
  const waits = `longest wait ${inCalls.toFixed(1)} s, in a browser ${inBrowsers.toFixed(1)} s`
  console.log(row(`${blow.name} (${waits})`, seconds, ...counts))
}

/** Acknowledged objects of which the database has no row, or another hash. */
async function findLost(world: World, { sent }: People): Promise<number> {
  const database = await openDatabase({ kind: 'postgres', url: world.databases.directUrl, poolSize: 1 })
  try {
    const rows = await database.db
      .selectFrom('instances')
      .select(['study_uid', 'sha256'])
      .where('study_uid', 'like', `1.${root}.%`)
      .execute()
    const hashes = new Map(rows.map(({ study_uid, sha256 }) => [study_uid, sha256]))
    return [...sent].filter(([study, hash]) => hashes.get(study) !== hash).length
  } finally {
    await database.close()
  }
}

/** Rows and bytes against each other, and the chain of the audit. */
async function findFaults({ variables }: World): Promise<boolean> {
  const store = await startChild(variables, 'fsck.ts').ended
  const audit = await startChild(variables, 'admin.ts', ['audit']).ended
  console.log(`\nfsck: ${(store.out + store.errors).trim()}\naudit: ${(audit.out + audit.errors).trim()}`)
  return store.code === 0 && audit.code === 0
}
