import type { RegistryMove } from '../../shared/contract/src/release.ts'
import { demoPassword } from '../../shared/contract/src/demoAccounts.ts'
import {
  activate,
  openFolderStore,
  listReleaseRefs,
  publishAll,
  readRegistry,
  readRelease,
  readSnapshot,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { openSession } from '../../e2e/support/api.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'
import { checkoutStore } from '../workspace/builds.ts'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { publishAlteredRelease } from './publishAlteredRelease.ts'

const part = 'remote-complaint'
const by = { by: 'a pipeline that overlooked it' }

/**
 * A release whose pages report nothing wrong, but in which nobody can complain any more: only a journey finds it. One
 * round of a monitor takes it back, and leaves the release before, which is as good as it was (P52).
 */
export async function monitorRollback(): Promise<TestTotals> {
  const composed = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const throwaway = await startTemporaryServer(openFolderStore(checkoutStore), composed)
  try {
    const { store, url } = throwaway
    const first = listReleaseRefs(composed).find(({ name }) => name === part)
    if (first === undefined) throw new Error(`${part} is not live.`)
    const token = await makeToken(url)
    const bad = await publishAlteredRelease(store, await readRelease(store, part, first.releaseId), 'bad', (script) =>
      script.replaceAll('"Description"', '"Descripton"'),
    )
    await activate(store, { parts: [bad] }, by)
    const { seconds, text } = await runRound(url, token)
    const move = await findMove(store)
    if (move?.by !== 'monitor Drill' || (await findLive(store)) !== first.releaseId)
      throw new Error(`The monitor did not take ${part} ${bad.releaseId} back:\n${text}`)
    // How long it takes is the machine's; that it is within two minutes on a usual one stands in docs/performance.md.
    console.log(`  One round of a monitor took it back in ${Math.round(seconds)} s. ${move.reason}`)

    const after = await runRound(url, token)
    if ((await findMove(store))?.version !== move.version || after.code !== 0)
      throw new Error(`The release before is not well, or was taken back as well:\n${after.text}`)
    console.log('  The next round found nothing.')
    return { passed: 2, failed: 0 }
  } finally {
    await throwaway.stop()
  }
}

async function makeToken(url: string): Promise<string> {
  const session = await openSession(url, 'dmp-web', { email: 'super@dmp.example', password: demoPassword })
  if (typeof session === 'string') throw new Error('The super administrator of the demo cannot sign in.')
  const draft = { name: 'Drill', scopes: ['monitor'], password: demoPassword }
  const { token } = await session.call<{ token: string }>('POST', 'ApiToken/add', draft)
  await session.close()
  return token
}

const runRound = (url: string, token: string) =>
  runProcess(node, ['scripts/dmp.mjs', 'e2e', 'monitor', '--once'], {
    cwd: root,
    env: { BASE_URL: url, E2E_MONITOR_TOKEN: token },
    isQuiet: true,
  })

const findMove = async (store: ReleaseStore): Promise<RegistryMove | undefined> =>
  (await readRegistry(store))?.history.find(({ change }) => change === 'rollback')

async function findLive(store: ReleaseStore): Promise<string | undefined> {
  const registry = await readRegistry(store)
  const refs = registry ? listReleaseRefs(await readSnapshot(store, registry.live)) : []
  return refs.find(({ name }) => name === part)?.releaseId
}
