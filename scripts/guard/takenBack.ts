import { setTimeout as pause } from 'node:timers/promises'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { somebody, type Somebody } from '../../e2e/bench/somebody.ts'
import type { RegistryMove } from '../../shared/contract/src/release.ts'
import {
  activate,
  openStore,
  partsOf,
  publishAll,
  readRegistry,
  readRelease,
  readSnapshot,
  startCanary,
  type Store,
} from '../../shared/release/src/index.ts'
import { findBrowser } from '../browser.ts'
import type { Count } from '../count.ts'
import { workshop } from '../releases.ts'
import { publishEdition } from './edition.ts'
import { startThrowaway } from './throwaway.ts'

const part = 'remote-complaint'
const by = { by: 'a pipeline that overlooked it' }

/**
 * Two bad releases meet people in real browsers: one that cannot start, as a canary, and one that throws while it
 * works, live for everybody. What the pages report takes both back; nobody is left without the area (promise P31).
 */
export async function badReleases(): Promise<Count> {
  const composed = await readSnapshot(openStore(workshop), (await publishAll(workshop)).live)
  const throwaway = await startThrowaway(openStore(workshop), composed)
  const browser = await openBrowser(await findBrowser())
  const steps: string[] = []
  try {
    const { store, url } = throwaway
    const first = partsOf(composed).find(({ name }) => name === part)
    if (first === undefined) throw new Error(`${part} is not live.`)
    const original = await readRelease(store, part, first.releaseId)
    const broken = await publishEdition(
      store,
      original,
      'cannot start',
      (script) => `throw new Error('This release cannot start.');${script}`,
    )
    // Again and again: its first errors may be over before the host listens.
    const noisy = await publishEdition(
      store,
      original,
      'throws',
      (script) => `setInterval(() => { throw new Error('This release throws.') }, 20);${script}`,
    )
    const [staff, admin] = [await somebody(browser, url, 'staff'), await somebody(browser, url, 'admin')]

    await startCanary(store, broken, { percent: 0, users: [staff.email] }, by)
    await visits(staff, 3, broken.releaseId)
    await visits(admin, 1, first.releaseId)
    steps.push(sentenceOf(await takenBack(store, 'stop', broken.releaseId)))
    await visits(staff, 1, first.releaseId)

    await activate(store, { parts: [noisy] }, by)
    await visits(staff, 2, noisy.releaseId)
    await visits(admin, 1, noisy.releaseId)
    steps.push(sentenceOf(await takenBack(store, 'rollback', noisy.releaseId)))
    await visits(admin, 1, first.releaseId)

    steps.push(await mailOf(url, broken.releaseId), await mailOf(url, noisy.releaseId))
    await Promise.all([staff.end(), admin.end()])
    for (const step of steps) console.log(`  ${step}`)
    return { passed: steps.length, failed: 0 }
  } finally {
    await browser.close()
    await throwaway.stop()
  }
}

/** Every page shows the area, whatever is wrong with its release, and is made of the release that is expected. */
async function visits(person: Somebody, times: number, expected: string): Promise<void> {
  for (let visit = 0; visit < times; visit += 1) {
    const release = await person.visit()
    if (release !== expected) throw new Error(`${person.email} was given ${part} ${release}, not ${expected}.`)
  }
}

async function takenBack(store: Store, change: RegistryMove['change'], releaseId: string): Promise<RegistryMove> {
  const move = await before(20_000, async () =>
    (await readRegistry(store))?.history.find((one) => one.by === 'automatic' && one.change === change),
  )
  if (move === undefined) throw new Error(`${part} ${releaseId} fails on pages and was not taken back by itself.`)
  return move
}

const sentenceOf = ({ change, reason = '' }: RegistryMove): string =>
  `${change === 'stop' ? 'The canary was stopped' : 'The release was rolled back'} by itself. ${reason}`

async function mailOf(url: string, releaseId: string): Promise<string> {
  const mail = await before(20_000, async () => {
    const { data } = (await (await fetch(`${url}/dev/mail.json?to=super@dmp.example`)).json()) as {
      data: { subject: string; text: string }[]
    }
    return data.find(({ text }) => text.includes(releaseId))
  })
  if (mail === undefined) throw new Error(`No mail says that ${releaseId} was taken back.`)
  return `A mail to super@dmp.example: ${mail.subject}`
}

/** What comes to be behind an answer is asked for again, until there is no more time for it. */
async function before<T>(ms: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = Date.now() + ms
  for (;;) {
    const found = await ask()
    if (found !== undefined || Date.now() > end) return found
    await pause(50)
  }
}
