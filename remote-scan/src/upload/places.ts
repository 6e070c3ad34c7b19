import { drafts } from '@dmp/kit'

// With the drafts: of this person, of this tab, over a reload, gone after a sign-out.
const name = 'places of uploads'
/** Of its beginning, which names the image, and of its end. */
const looked = 65_536

/**
 * Tells whether a file that is chosen again is the one that was begun, by a hash of where it goes, its size and its
 * edges: no path and no name, which may be a patient's (P23). Undefined where the browser has no hashes (a page without
 * https): it starts anew there.
 */
export async function markOf(organizationId: string, file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const where = new TextEncoder().encode(`${organizationId} ${file.size} `)
  const edges = await Promise.all(
    [file.slice(0, looked), file.slice(-looked)].map(async (part) => new Uint8Array(await part.arrayBuffer())),
  )
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', Uint8Array.from([where, ...edges].flatMap((bytes) => [...bytes]))),
  )
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Where large files that have not arrived whole lie on the server, by their marks: what arrived before a reload is not
 * sent again.
 */
export const places = {
  of(mark: string | undefined): string | undefined {
    const place = drafts.read(name)?.[mark ?? '']
    return typeof place === 'string' ? place : undefined
  },
  keep(mark: string | undefined, place: string): void {
    if (mark !== undefined) drafts.write(name, { ...drafts.read(name), [mark]: place })
  },
  forget(mark: string | undefined): void {
    if (mark === undefined || places.of(mark) === undefined) return
    const { [mark]: _there, ...left } = drafts.read(name) ?? {}
    drafts.write(name, left)
  },
}
