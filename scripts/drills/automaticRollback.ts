import { setTimeout as pause } from 'node:timers/promises'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { openVisitor, type Visitor } from '../../e2e/bench/visitor.ts'
import type { RegistryMove } from '../../shared/contract/src/release.ts'
import {
  activate,
  openFolderStore,
  listReleaseRefs,
  publishAll,
  readRegistry,
  readRelease,
  readSnapshot,
  startCanary,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { checkoutStore } from '../workspace/builds.ts'
import { publishAlteredRelease } from './publishAlteredRelease.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'

const part = 'remote-complaint'
const by = { by: 'a pipeline that overlooked it' }

/**
 * Bad releases meet people in real browsers: one that cannot start and one whose modules throw, as canaries, and one
 * that throws while it works, live for everybody. The pages' reports take them back; no user is left without the area
 * (promise P31).
 */
export async function automaticRollback(): Promise<TestTotals> {
  const composed = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const throwaway = await startTemporaryServer(openFolderStore(checkoutStore), composed)
  const browser = await openBrowser(await findBrowser())
  const steps: string[] = []
  try {
    const { store, url } = throwaway
    const first = listReleaseRefs(composed).find(({ name }) => name === part)
    if (first === undefined) throw new Error(`${part} is not live.`)
    const original = await readRelease(store, part, first.releaseId)
    const broken = await publishAlteredRelease(
      store,
      original,
      'cannot start',
      (script) => `throw new Error('This release cannot start.');${script}`,
    )
    const unsound = await publishAlteredRelease(store, original, 'throws in its first module', throwInModules)
    // Again and again: its first errors may be over before the host listens.
    const noisy = await publishAlteredRelease(
      store,
      original,
      'throws',
      (script) => `setInterval(() => { throw new Error('This release throws.') }, 20);${script}`,
    )
    // Of two customers: the people of one alone take nothing back from the other.
    const [staff, admin] = [await openVisitor(browser, url, 'staff'), await openVisitor(browser, url, 'southAdmin')]

    await startCanary(store, broken, { percent: 0, users: [staff.email] }, by)
    await visits(staff, 3, broken.releaseId)
    await visits(admin, 1, first.releaseId)
    steps.push(formatMove(await waitForRollback(store, 'stop', broken.releaseId)))
    await visits(staff, 1, first.releaseId)

    await startCanary(store, unsound, { percent: 0, users: [staff.email] }, by)
    await visits(staff, 3, unsound.releaseId)
    steps.push(formatMove(await waitForRollback(store, 'stop', unsound.releaseId)))
    await visits(staff, 1, first.releaseId)

    await activate(store, { parts: [noisy] }, by)
    await visits(staff, 2, noisy.releaseId)
    // Each customer is judged by its own pages.
    await visits(admin, 2, noisy.releaseId)
    steps.push(formatMove(await waitForRollback(store, 'rollback', noisy.releaseId)))
    await visits(admin, 1, first.releaseId)

    steps.push(await waitForMail(url, broken.releaseId), await waitForMail(url, noisy.releaseId))
    await Promise.all([staff.end(), admin.end()])
    for (const step of steps) console.log(`  ${step}`)
    return { passed: steps.length, failed: 0 }
  } finally {
    await browser.close()
    await throwaway.stop()
  }
}

/** Each module of a script of webpack, as `12(e,t,n){` or `12:(e,t,n)=>{`, throws as soon as it is needed. */
const throwInModules = (script: string): string =>
  script.replaceAll(/[{,]\d+:?\(\w*(?:,\w+)*\)(?:=>)?\{/g, (head) => `${head}throw new Error('A bad module.');`)

/** Every page shows the area, whatever is wrong with its release, and is made of the release that is expected. */
async function visits(person: Visitor, times: number, expected: string): Promise<void> {
  for (let visit = 0; visit < times; visit += 1) {
    const release = await person.visit()
    if (release !== expected) throw new Error(`${person.email} was given ${part} ${release}, not ${expected}.`)
  }
}

async function waitForRollback(
  store: ReleaseStore,
  change: RegistryMove['change'],
  releaseId: string,
): Promise<RegistryMove> {
  const move = await poll(20_000, async () =>
    (await readRegistry(store))?.history.find(
      (move) =>
        move.by === 'automatic' && move.change === change && (move.canary?.releaseId ?? releaseId) === releaseId,
    ),
  )
  if (move === undefined) throw new Error(`${part} ${releaseId} fails on pages and was not taken back by itself.`)
  return move
}

const formatMove = ({ change, reason = '' }: RegistryMove): string =>
  `${change === 'stop' ? 'The canary was stopped' : 'The release was rolled back'} by itself. ${reason}`

async function waitForMail(url: string, releaseId: string): Promise<string> {
  const mail = await poll(20_000, async () => {
    const { data } = (await (await fetch(`${url}/dev/mail.json?to=super@dmp.example`)).json()) as {
      data: { subject: string; text: string }[]
    }
    return data.find(({ text }) => text.includes(releaseId))
  })
  if (mail === undefined) throw new Error(`No mail says that ${releaseId} was taken back.`)
  return `A mail to super@dmp.example: ${mail.subject}`
}

/** Asks again for a result that appears later than its answer, until the time is up. */
async function poll<T>(ms: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = Date.now() + ms
  for (;;) {
    const result = await ask()
    if (result !== undefined || Date.now() > end) return result
    await pause(50)
  }
}
