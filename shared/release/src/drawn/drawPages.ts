import { fork } from 'node:child_process'
import path from 'node:path'
import type { Release, ReleaseRef } from '@dmp/contract/release'
import { composeSnapshot, releaseUrl } from '../composition.ts'
import type { Signer } from '../signing/keyPair.ts'
import { replaceReleases } from '../move.ts'
import { readAsPublished } from '../store/releaseFiles.ts'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import { addDrawn, findDrawn, listDrawnAddresses, type DrawnDocument, type DrawnPages } from './drawnDocument.ts'
import { drawnSettings } from './drawnSettings.ts'
import { isMarkup } from './markup.ts'
import type { DrawnHere, PagesToDraw } from './pageToDraw.ts'

const timeoutMs = 60_000

interface Drawing {
  /** The part whose pages are drawn; all parts where left out. */
  readonly only?: string
  readonly signer?: Signer | undefined
  readonly log?: (line: string) => void
}

/**
 * Draws the public pages of these releases together, which were built here: their code runs in processes that may do
 * nothing else. What is drawn already stays. Where drawing fails, pages come with their code.
 */
export async function drawPages(
  store: ReleaseStore,
  refs: readonly ReleaseRef[],
  { only, signer, log = () => undefined }: Drawing = {},
): Promise<readonly DrawnDocument[]> {
  try {
    const releases = await Promise.all(refs.map(({ name, releaseId }) => readRelease(store, name, releaseId)))
    const host = releases.find(({ name }) => name === 'host')
    // One of before draws nothing.
    if (host === undefined || !host.files.some(({ path }) => path.startsWith('drawing.'))) return []
    const parts = releases.filter(({ name }) => only === undefined || name === only).filter(showsPages)
    const earlier = await Promise.all(parts.map((part) => findDrawn(store, part, host.releaseId)))
    const missing = parts.filter((_part, index) => earlier[index] === undefined)
    const pages = missing.length === 0 ? {} : await drawTogether(store, { host, parts: missing, log })
    const documents = parts.map((part, index) => earlier[index] ?? toDocument(part, host, pages))
    for (const document of documents) await addDrawn(store, document, signer)
    return documents
  } catch (error) {
    log(`Public pages come with their code: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

const showsPages = (release: Release): boolean => listDrawnAddresses(release).length > 0

/** Draws the public pages of a release that was built here, with the host that is live. */
export async function drawWithLive(store: ReleaseStore, release: Release, drawing: Drawing): Promise<void> {
  const registry = showsPages(release) ? await readRegistry(store) : undefined
  if (registry === undefined) return
  const { host } = await readSnapshot(store, registry.live)
  await drawPages(store, release.name === host.name ? [release] : [host, release], { ...drawing, only: release.name })
}

const toDocument = (part: Release, host: Release, pages: DrawnPages): DrawnDocument => ({
  part: part.name,
  releaseId: part.releaseId,
  host: host.releaseId,
  pages: Object.fromEntries(listDrawnAddresses(part).flatMap((path) => (pages[path] ? [[path, pages[path]]] : []))),
})

interface PartsToDraw {
  readonly host: Release
  readonly parts: readonly Release[]
  readonly log: (line: string) => void
}

async function drawTogether(store: ReleaseStore, { host, parts, log }: PartsToDraw): Promise<DrawnPages> {
  const of = [host, ...parts.filter((part) => part !== host)]
  const files = new Map((await Promise.all(of.map((release) => readFiles(store, release)))).flat())
  const refs = of.map(({ name, releaseId }) => ({ name, releaseId }))
  const { page } = await composeSnapshot(store, replaceReleases(undefined, refs))
  const { since: _addresses, ...snapshot } = page
  const pages: Record<string, DrawnPages[string]> = {}
  for (const language of ['en', ...listLanguages(of)]) {
    const here = await drawInProcess({
      language,
      snapshot: JSON.stringify(snapshot),
      settings: drawnSettings,
      scripts: listFirstScripts(host),
      files,
      paths: parts.flatMap(listDrawnAddresses),
    })
    for (const [address, markup] of Object.entries(here)) {
      if ('problem' in markup) log(`${address} comes with its code in ${language}: ${toLine(markup.problem)}`)
      else if (!Object.values(markup).every(isMarkup)) log(`${address} comes with its code: it has more than markup.`)
      else pages[address] = { ...pages[address], [language]: markup as DrawnPages[string][string] }
    }
  }
  return pages
}

/** What a host says of itself must not steer the terminal or the pipeline that shows it. */
const toLine = (said: unknown): string =>
  String(said)
    .slice(0, 2000)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')

const listFirstScripts = ({ initial, entry, releaseId }: Release): string[] =>
  [...initial.filter((file) => file.endsWith('.js')), entry].map((file) => releaseUrl('host', releaseId, file))

/** Languages that all of them speak, but English, which needs no texts. */
function listLanguages(releases: readonly Release[]): string[] {
  const spoken = releases.map(
    ({ files }) => new Set(files.flatMap(({ path }) => /^texts\/([A-Za-z-]+)\.json$/.exec(path)?.[1] ?? [])),
  )
  return [...(spoken[0] ?? [])].filter((language) => spoken.every((languages) => languages.has(language)))
}

async function readFiles(store: ReleaseStore, release: Release): Promise<[string, string][]> {
  const wanted = release.files.filter(({ path }) => /\.js$|^texts\//.test(path))
  return Promise.all(
    wanted.map(async (file) => {
      const content = await readAsPublished(store, release, file, '')
      if (typeof content === 'string') throw new StoreError(content)
      return [releaseUrl(release.name, release.releaseId, file.path), content.toString('utf8')] as [string, string]
    }),
  )
}

/** As a source here, and as JavaScript where this was installed as a package. */
const drawing = path.join(import.meta.dirname, `draw.process${path.extname(import.meta.filename)}`)

/** What runs there reads its own few sources and nothing else, and has no variable of ours, such as a key. */
const closed = ['--permission', `--allow-fs-read=${import.meta.dirname}`, '--disable-warning=ExperimentalWarning']

async function drawInProcess(toDraw: PagesToDraw): Promise<DrawnHere> {
  const child = fork(drawing, {
    execArgv: closed,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    return await new Promise<DrawnHere>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Drawing takes too long.')), timeoutMs)
      // What ran there may say anything.
      child.once('message', (said: { readonly drawn?: DrawnHere; readonly problem?: string } | null) =>
        said?.drawn ? resolve(said.drawn) : reject(new Error(toLine(said?.problem ?? 'It said something else.'))),
      )
      child.once('error', reject).once('exit', () => reject(new Error('The drawing process ended.')))
      for (const end of ['message', 'error', 'exit']) child.once(end, () => clearTimeout(timer))
      child.send(toDraw)
    })
  } finally {
    child.kill('SIGKILL')
  }
}
