import { createHash } from 'node:crypto'
import type { Release } from '../../shared/contract/src/release.ts'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { openPages } from '../../e2e/bench/openPages.ts'
import {
  activate,
  openFolderStore,
  publishAll,
  readRelease,
  readSnapshot,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { checkoutStore } from '../workspace/builds.ts'
import { publishAlteredRelease } from './publishAlteredRelease.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'

const part = 'remote-complaint'
const releaseCount = 100

/**
 * A hundred releases of one remote go live while pages are opened all the time, and pages that were open before go on.
 */
export async function manyReleases(): Promise<TestTotals> {
  const live = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const throwaway = await startTemporaryServer(openFolderStore(checkoutStore), live)
  const browser = await openBrowser(await findBrowser())
  const failures: string[] = []
  try {
    const first = live.remotes.find(({ name }) => name === part)
    if (first === undefined) throw new Error(`${part} is not live.`)
    const release = await readRelease(throwaway.store, part, first.releaseId)
    const pages = await openPages(browser, throwaway.url)
    const began = performance.now()
    let isOver = false
    const until = async (load: () => Promise<string | undefined>): Promise<number> => {
      let loads = 0
      for (; !isOver; loads += 1) {
        const reason = await load()
        if (reason !== undefined) failures.push(reason)
      }
      return loads
    }
    const counting = [until(pages.load), until(() => loadByHand(throwaway.url))]
    const ids = await releaseAll(throwaway.store, release).finally(() => {
      isOver = true
    })
    const [browsed = 0, fetched = 0] = await Promise.all(counting)
    const differences = pages.countDifferences()
    const problems = await pages.end()
    if (differences === 0) failures.push('No file came as what changed since the release before.')
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(
      `  ${ids.size} releases of ${part} live one after the other in ${seconds} s, with ${browsed} page loads in a browser and ${fetched} by hand (page, scripts, hashes): ${failures.length} failed. ${differences} files came as what had changed.`,
    )
    console.log(
      `  Pages opened before the first of them: ${problems.length === 0 ? 'both went on, were offered the newer version, and kept what was typed.' : problems.join(' ')}`,
    )
    for (const failure of new Set(failures)) console.log(`      ${failure}`)
    const failed = failures.length + problems.length + (ids.size === releaseCount ? 0 : 1)
    return { passed: browsed + fetched + 3 - failures.length - problems.length, failed }
  } finally {
    await browser.close()
    await throwaway.stop()
  }
}

/** Really different releases: another screen each time, and a first script that names its hash. Returns their ids. */
async function releaseAll(store: ReleaseStore, original: Release): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let number = 1; number <= releaseCount; number += 1) {
    const { name, releaseId } = await publishAlteredRelease(
      store,
      original,
      `edition ${number}`,
      (script) => `${script}\n/* edition ${number} */`,
    )
    await activate(store, { parts: [{ name, releaseId }] }, { by: 'a hundred releases' })
    ids.add(releaseId)
  }
  return ids
}

/** A page and every script and style that it asks for, as a browser would check them. */
async function loadByHand(url: string): Promise<string | undefined> {
  try {
    const page = await fetch(`${url}/complaint`)
    if (!page.ok) return `/complaint responded with ${page.status}.`
    const tags = [
      ...(await page.text()).matchAll(/ (?:src|href)="(\/releases\/[^"]{1,200})" integrity="sha384-([^"]{64})"/g),
    ]
    if (tags.length < 3) return `The page names ${tags.length} files only.`
    for (const [, path = '', hash] of tags) {
      const file = await fetch(`${url}${path}`)
      if (!file.ok) return `${path} responded with ${file.status}.`
      if (
        createHash('sha384')
          .update(Buffer.from(await file.arrayBuffer()))
          .digest('base64') !== hash
      )
        return `${path} has another hash than the page says.`
    }
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
