import type { Release, ReleaseRef } from '@dmp/contract/release'
import { getRoute, ReleaseId } from '@dmp/contract/remote'
import * as v from 'valibot'
import { openEnvelope, toEnvelope } from '../signing/envelope.ts'
import type { Signer } from '../signing/keyPair.ts'
import { countingKeys, readPartKeys, type ReleaseKey } from '../signing/releaseKeys.ts'
import { releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'
import { isMarkup } from './markup.ts'

const documentType = 'application/vnd.dmp.drawn-pages+json'
const text = v.string('Must be text.')

const Markup = v.pipe(
  text,
  v.check((markup) => isMarkup(markup), 'Markup draws, and nothing else.'),
)

/** The public pages of a part as markup, drawn with the host that is named: by address, language and kind of page. */
const DrawnDocument = v.strictObject({
  part: text,
  releaseId: ReleaseId,
  host: ReleaseId,
  pages: v.record(text, v.record(text, v.strictObject({ plain: Markup, demo: Markup }))),
})
export type DrawnDocument = v.InferOutput<typeof DrawnDocument>
export type DrawnPages = DrawnDocument['pages']

/** The pages that everybody sees alike until they typed something. */
const drawnAddresses = ['/login', '/register', '/forgot-password', '/terms']

/** Those of them that a part shows. */
export const listDrawnAddresses = ({ declaration }: Release): readonly string[] =>
  drawnAddresses.filter((address) => {
    const guard = declaration && getRoute([declaration], address)?.claim.guard
    return guard === 'public' || guard === 'guest'
  })

/** Beside the release of the part that shows the addresses; a key that signs adds its own. */
const keyOf = (part: ReleaseRef, host: string, keyId?: string): string =>
  releaseKey(part.name, part.releaseId, `drawn.${host}${keyId === undefined ? '' : `.${keyId}`}.json`)

/** What was drawn already, whoever signed it. */
export async function findDrawn(
  store: ReleaseStore,
  part: ReleaseRef,
  host: string,
): Promise<DrawnDocument | undefined> {
  const content = await store.read(keyOf(part, host))
  const document = v.safeParse(DrawnDocument, content && openEnvelope(documentType, content)?.value)
  return document.success ? document.output : undefined
}

/** As a team brings them. */
export const toDrawnEnvelope = (drawn: DrawnDocument, signer: Signer | undefined): Buffer =>
  toEnvelope(documentType, drawn, signer)

/** Adds pages that were drawn; where a part has keys, only those that one of them signed are shown. */
export async function addDrawn(store: ReleaseStore, drawn: DrawnDocument, signer?: Signer): Promise<void> {
  const ref = { name: drawn.part, releaseId: drawn.releaseId }
  await store.add(keyOf(ref, drawn.host), toEnvelope(documentType, drawn, undefined))
  if (signer) await store.add(keyOf(ref, drawn.host, signer.keyId), toEnvelope(documentType, drawn, signer))
}

/** Pages as somebody brought them, and who vouches for them. */
export interface Brought {
  readonly drawn: DrawnDocument
  readonly content: Buffer
  /** Of the part's key; undefined where it has none. */
  readonly keyId: string | undefined
}

/** What was brought, or why it is not shown with this host. */
export async function judgeBrought(
  store: ReleaseStore,
  part: Release,
  host: string,
  content: Buffer,
): Promise<Brought | string> {
  return judge(part, host, await readCountingKeys(store, part), content)
}

const keyOfBrought = ({ drawn, keyId }: Brought): string =>
  keyOf({ name: drawn.part, releaseId: drawn.releaseId }, drawn.host, keyId)

/** What was brought first stays. */
export async function isThere(store: ReleaseStore, brought: Brought): Promise<boolean> {
  return (await store.read(keyOfBrought(brought))) !== undefined
}

export async function addBrought(store: ReleaseStore, brought: Brought): Promise<void> {
  await store.add(keyOfBrought(brought), brought.content)
}

/** The pages of a part as they were drawn with this host; none where nobody drew them, or nobody vouches for them. */
export async function readDrawn(store: ReleaseStore, part: Release, host: string): Promise<DrawnPages> {
  if (listDrawnAddresses(part).length === 0) return {}
  const keys = await readCountingKeys(store, part)
  for (const key of keys ?? [undefined]) {
    const content = await store.read(keyOf(part, host, key?.keyId))
    const judged = content ? judge(part, host, keys, content) : ''
    if (typeof judged !== 'string') return judged.drawn.pages
  }
  return {}
}

/** Undefined where the part has no keys, so that its files need none either. */
async function readCountingKeys(store: ReleaseStore, { name }: Release): Promise<readonly ReleaseKey[] | undefined> {
  const keys = (await readPartKeys(store, name))?.keys
  return keys && countingKeys(keys)
}

function judge(
  part: Release,
  host: string,
  keys: readonly ReleaseKey[] | undefined,
  content: Buffer,
): Brought | string {
  const { name, releaseId } = part
  const opened = openEnvelope(documentType, content)
  const read = v.safeParse(DrawnDocument, opened?.value)
  if (opened === undefined || !read.success) return `These are no drawn pages of ${name}: ${read.issues?.[0].message}`
  const drawn = read.output
  if (drawn.part !== name || drawn.releaseId !== releaseId || drawn.host !== host)
    return `These are pages of ${drawn.part} ${drawn.releaseId} with host ${drawn.host}, not of ${name} ${releaseId} with host ${host}. Draw them again.`
  const addresses = listDrawnAddresses(part)
  const other = Object.keys(drawn.pages).find((address) => !addresses.includes(address))
  if (other !== undefined) return `${other} is no public page of ${name}.`
  const key = keys?.find((candidate) => opened.isSignedBy(candidate))
  if (keys && !key) return `No release key of ${name} that counts signed these pages.`
  return { drawn, content, keyId: key?.keyId }
}
