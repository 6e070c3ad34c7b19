import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { typeBeforeCode } from '../../e2e/bench/typedBeforeCode.ts'
import type { BuildRecord } from '../../shared/contract/src/release.ts'
import { release } from '../../shared/release/src/cli.ts'
import { openFolderStore, publishAll, readSnapshot } from '../../shared/release/src/index.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'
import { root } from '../workspace/files.ts'
import { checkoutStore } from '../workspace/builds.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { openPlatform } from './platform.ts'

const part = 'remote-account'

/**
 * The team of a part releases it alone, with a token and without the store: the sign-in page stands before its code as
 * it does where all parts go live together, and takes what is typed.
 */
export async function releasedAlone(): Promise<TestTotals> {
  const live = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const server = await startTemporaryServer(openFolderStore(checkoutStore), live)
  const browser = await openBrowser(await findBrowser())
  const folder = mkdtempSync(join(tmpdir(), 'dmp-alone-'))
  const totals = { passed: 0, failed: 0 }
  const look = async (what: string): Promise<string | undefined> => {
    const { isDrawn, isKept, releaseId } = await typeBeforeCode(browser, server.url, part)
    totals[isDrawn && isKept ? 'passed' : 'failed'] += 1
    console.log(`  ${what}: ${isDrawn ? 'drawn' : 'NOT drawn'}, what was typed ${isKept ? 'kept' : 'LOST'}`)
    return releaseId
  }
  try {
    const before = await look('all parts live together')
    cpSync(join(root, part, 'dist'), folder, { recursive: true })
    const { entry } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as BuildRecord
    appendFileSync(join(folder, entry), "\nconsole.debug('one changed line')\n")
    const { token } = await (await openPlatform(server.url)).makeToken(['publish', 'activate', 'unchecked'], [part])
    const words = ['activate', part, '--from', folder, '--to', server.url, '--unchecked', 'a drill']
    const door = { to: undefined, readToken: () => token }
    const code = await release(words, { store: join(folder, 'none'), by: 'the team', door })
    if (code !== 0) throw new Error(`The release ended with ${code}.`)
    if ((await look(`${part} released alone`)) === before) throw new Error('The page has the release of before.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await browser.close()
    await server.stop()
  }
  return totals
}
