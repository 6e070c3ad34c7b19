import * as v from 'valibot'
import { ExportHead, parseSums, recordKinds } from '../export/exportFormat.ts'
import { importSentences } from './importSentences.ts'

/** What an export says of itself, and the hashes of its lists and records. */
export interface ExportManifest {
  readonly head: ExportHead
  readonly sums: ReadonlyMap<string, string>
}

export const headFile = 'export.json'

/** Undefined for what is no export. Texts that are longer than any export has are not read: leave them out. */
export function parseManifest(head: string | undefined, sums: string | undefined): ExportManifest | undefined {
  const parsedHead = v.safeParse(v.pipe(v.string(), v.parseJson(), ExportHead), head ?? '')
  const parsedSums = parseSums(sums ?? '-')
  return parsedHead.success && parsedSums ? { head: parsedHead.output, sums: parsedSums } : undefined
}

/** Of a set's list: DICOMDIR and README are made anew by the next export. */
export const isObjectPath = (path: string): boolean => path.startsWith('DICOM/')

export const missing = { reason: 'MISSING', sentence: importSentences.missing } as const

/** Records are believed as a whole or not at all. Names those that are not what was exported, or are not there. */
export async function listWrongRecords(
  { sums }: ExportManifest,
  hash: (name: string) => Promise<string | undefined>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const name of [headFile, ...recordKinds.map((kind) => `${kind}.json`)]) {
    const sha256 = await hash(name)
    if (sha256 === undefined || sha256 !== sums.get(name)) wrong.push(name)
  }
  return wrong
}
