import { nameWithoutHash } from '@dmp/contract/fileNames'
import { language } from '@dmp/kit/language'
import { remotes, snapshot } from './snapshot.ts'

/**
 * A file that did not change keeps the address that it had in an earlier release, for browsers that have it from there
 * (`since` of the snapshot). Each release has all of its files in its own folder nevertheless: a second request for a
 * file goes there.
 */
const asked = new Set<string>()

/** Where to get a file of a release of this page, the first time that it is asked for. */
export function toEarlierAddress(url: string): string {
  const { folder, part, releaseId, path } = readAddress(url)
  if (releaseId === undefined || releaseId !== releaseOnPage(part) || folder.endsWith('/again/')) return url
  const name = nameWithoutHash(path)
  const [earlier] = Object.entries(snapshot().since?.[part] ?? {}).find(([, names]) => names.includes(name)) ?? []
  if (earlier === undefined || asked.has(url)) return url
  asked.add(url)
  return `${folder}${part}/${earlier}/${path}`
}

/** The folder to get what a release says in the page's language from. */
export function folderOfTexts(folder: string): string {
  const name = `texts/${language()}.json`
  return toEarlierAddress(folder + name).slice(0, -name.length)
}

/** The address of such a file in the release of this page that it belongs to. */
export function toOwnAddress(url: string): string {
  const { folder, part, releaseId = '', path } = readAddress(url)
  const names = snapshot().since?.[part]?.[releaseId]
  return names?.includes(nameWithoutHash(path)) ? `${folder}${part}/${releaseOnPage(part)}/${path}` : url
}

/** A stack in which every file is said to be of the release of this page that it belongs to. */
export const toOwnAddresses = (stack: string): string =>
  stack.replaceAll(/\/[a-z0-9-]{1,60}\/[0-9a-f]{16}\/[\w@./-]{1,200}/g, toOwnAddress)

/** `https://dmp.example/releases/` `host` / `0123456789abcdef` / `texts/de.json`. */
function readAddress(url: string): { folder: string; part: string; releaseId: string | undefined; path: string } {
  const steps = url.split('/')
  const at = steps.findIndex((step) => /^[0-9a-f]{16}$/.test(step))
  const [part = '', releaseId] = at < 1 ? [] : steps.slice(at - 1, at + 1)
  return { folder: steps.slice(0, at - 1).join('/') + '/', part, releaseId, path: steps.slice(at + 1).join('/') }
}

const releaseOnPage = (part: string): string | undefined =>
  part === 'host' ? snapshot().host : remotes().find(({ declaration }) => declaration.name === part)?.releaseId

/** For the code with which each part loads its later files (`EarlierAddressesPlugin`). */
export function offerEarlierAddresses(): void {
  if (snapshot().since) Object.assign(globalThis, { dmpAddressOf: toEarlierAddress })
}
