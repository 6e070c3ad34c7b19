import type { Release, ReleaseRef } from '@dmp/contract/release'
import { getRoute, ReleaseId } from '@dmp/contract/remote'
import * as v from 'valibot'
import { openEnvelope, toEnvelope } from '../signing/envelope.ts'
import type { Signer } from '../signing/keyPair.ts'
import { readPartKeys } from '../signing/releaseKeys.ts'
import { releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'

const documentType = 'application/vnd.dmp.drawn-pages+json'
const text = v.string('Must be text.')

/** Beyond the text of pages: what would run, load, be framed or restyle. The page's policy refuses most of it, too. */
const unwanted = /<(?:script|style|link|meta|base|iframe|object|embed|template)\b|\s(?:on\w{1,30}|style|nonce)=/i
export const isMarkup = (markup: string): boolean => !unwanted.test(markup)
const Markup = v.pipe(text, v.check(isMarkup, 'Markup draws, and nothing else.'))

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

/** Adds pages that were drawn; where a part has keys, only those that one of them signed are shown. */
export async function addDrawn(store: ReleaseStore, drawn: DrawnDocument, signer?: Signer): Promise<void> {
  const ref = { name: drawn.part, releaseId: drawn.releaseId }
  await store.add(keyOf(ref, drawn.host), toEnvelope(documentType, drawn, undefined))
  if (signer) await store.add(keyOf(ref, drawn.host, signer.keyId), toEnvelope(documentType, drawn, signer))
}

/** The pages of a part as they were drawn with this host; none where nobody drew them, or nobody vouches for them. */
export async function readDrawn(store: ReleaseStore, part: Release, host: string): Promise<DrawnPages> {
  if (listDrawnAddresses(part).length === 0) return {}
  const keys = (await readPartKeys(store, part.name))?.keys.filter(({ revoked }) => revoked === undefined)
  const found = await Promise.all(
    (keys ?? [undefined]).map(async (key) => {
      const content = await store.read(keyOf(part, host, key?.keyId))
      const opened = content && openEnvelope(documentType, content)
      return opened && (key === undefined || opened.isSignedBy(key)) ? opened.value : undefined
    }),
  )
  const document = v.safeParse(
    DrawnDocument,
    found.find((value) => value !== undefined),
  )
  const { part: name, releaseId, host: drawnWith, pages } = document.success ? document.output : nothing
  return name === part.name && releaseId === part.releaseId && drawnWith === host ? pages : {}
}

const nothing: DrawnDocument = { part: '', releaseId: '', host: '', pages: {} }
