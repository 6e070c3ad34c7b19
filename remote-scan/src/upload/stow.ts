import { sendBytes, sendResumable } from '@dmp/kit'

/** What became of one file. */
export type Fate =
  | { readonly kind: 'stored' | 'known'; readonly seriesUID: string }
  | { readonly kind: 'refused'; readonly reason: string }

const boundary = 'dmp-upload-2f6c0b1d9a'

/** The files as one multipart/related body (STOW-RS, PS3.18 section 10.5); the browser streams them from disk. */
export function bodyOf(files: readonly Blob[]): Blob {
  const parts = files.flatMap((file) => [`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`, file, '\r\n'])
  return new Blob([...parts, `--${boundary}--\r\n`])
}

/**
 * Sends files into an organization and tells each one's fate, in their order. Throws `CallError` when the whole was
 * refused or nothing came back.
 */
export async function store(
  organizationId: string,
  files: readonly Blob[],
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Fate[]> {
  const { text } = await sendBytes(
    `/dicom-web/studies?organizationId=${encodeURIComponent(organizationId)}`,
    bodyOf(files),
    {
      contentType: `multipart/related; type="application/dicom"; boundary=${boundary}`,
      accept: 'application/dicom+json',
      onProgress,
      signal,
    },
  )
  return fatesOf(JSON.parse(text) as Dataset, files.length)
}

interface Whole {
  readonly place: string | undefined
  readonly onPlace: (place: string) => void
}

/**
 * Sends one large file so that a broken line costs nothing that has arrived. Throws as `store` does; the next try goes
 * on at the place.
 */
export async function storeWhole(
  organizationId: string,
  file: Blob,
  { place, onPlace }: Whole,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Fate[]> {
  const { text } = await sendResumable(`/Scan/uploads?organizationId=${encodeURIComponent(organizationId)}`, file, {
    accept: 'application/dicom+json',
    place,
    onPlace,
    onProgress,
    signal,
  })
  return fatesOf(JSON.parse(text) as Dataset, 1)
}

interface Element {
  readonly Value?: readonly unknown[]
}
type Dataset = Readonly<Record<string, Element>>

const items = (dataset: Dataset, tag: string): readonly Dataset[] => (dataset[tag]?.Value ?? []) as readonly Dataset[]
const first = (dataset: Dataset, tag: string): string => String(dataset[tag]?.Value?.[0] ?? '')

const failures = ['00081198', '0008119A'] as const
/** Our server's private elements: which part it was. */
const partNumber = '00091002'
const alreadyThere = String(0xb007)

/** PS3.18 table 10.5.3-1: failed parts carry their number, the others stand in their order. */
export function fatesOf(answer: Dataset, count: number): Fate[] {
  const fates: (Fate | undefined)[] = Array.from({ length: count })
  for (const failed of failures.flatMap((tag) => items(answer, tag))) {
    const index = Number(first(failed, partNumber)) - 1
    if (index >= 0 && index < count)
      fates[index] = {
        kind: 'refused',
        reason: first(failed, '00000902') || `The server refused it (reason ${first(failed, '00081197')}).`,
      }
  }
  const stored = [...items(answer, '00081199')]
  return fates.map((fate): Fate => {
    if (fate) return fate
    const one = stored.shift()
    if (!one) return { kind: 'refused', reason: 'The server did not say what became of it.' }
    return {
      kind: first(one, '00081196') === alreadyThere ? 'known' : 'stored',
      seriesUID: /\/series\/([\d.]+)/.exec(first(one, '00081190'))?.[1] ?? '',
    }
  })
}
