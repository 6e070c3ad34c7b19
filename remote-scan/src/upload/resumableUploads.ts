import { drafts } from '@dmp/kit'

// With the drafts: of this person, of this tab, over a reload, gone after a sign-out.
const storageName = 'resumable uploads'
/** Of the file's beginning, which names the image, and of its end. */
const edgeBytes = 65_536

/**
 * Recognizes a file that is chosen again by a hash of its destination, its size and its edges: no path and no name,
 * which may be a patient's (P23). Undefined where the browser has no hashes (a page without https): the upload starts
 * anew there.
 */
export async function fingerprint(organizationId: string, file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const destination = new TextEncoder().encode(`${organizationId} ${file.size} `)
  const edges = await Promise.all(
    [file.slice(0, edgeBytes), file.slice(-edgeBytes)].map(async (edge) => new Uint8Array(await edge.arrayBuffer())),
  )
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', Uint8Array.from([destination, ...edges].flatMap((bytes) => [...bytes]))),
  )
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The upload URLs of large files that have not arrived whole, by fingerprint: what arrived before a reload is not sent
 * again.
 */
export const resumableUploads = {
  find(fingerprint: string | undefined): string | undefined {
    const url = drafts.read(storageName)?.[fingerprint ?? '']
    return typeof url === 'string' ? url : undefined
  },
  keep(fingerprint: string | undefined, url: string): void {
    if (fingerprint !== undefined) drafts.write(storageName, { ...drafts.read(storageName), [fingerprint]: url })
  },
  forget(fingerprint: string | undefined): void {
    if (fingerprint === undefined || resumableUploads.find(fingerprint) === undefined) return
    const { [fingerprint]: _url, ...others } = drafts.read(storageName) ?? {}
    drafts.write(storageName, others)
  },
}
