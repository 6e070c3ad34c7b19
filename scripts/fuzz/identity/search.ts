import type { Instance } from '../../../server/src/dicom/instance.ts'
import type { Person } from './person.ts'

/** Written without the help of the code that is tested: what a reader who knows the person would look for. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function* listStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const child of Object.values(value)) yield* listStrings(child)
}

/** Where the pixels are, chance writes every short word. */
function withoutPixels(bytes: Buffer, { part10 }: Instance): Buffer {
  if (part10.transferSyntax.isDeflated) return part10.header
  const pixels = part10.pixelData
  if (!pixels || pixels.length === undefined) return bytes
  return Buffer.concat([bytes.subarray(0, pixels.valueOffset), bytes.subarray(pixels.valueOffset + pixels.length)])
}

/** What of a person a copy still says: in bytes of either width, and in the strings that readers show. */
export function findInCopy(bytes: Buffer, copy: Instance, person: Person): string[] {
  const searched = withoutPixels(bytes, copy)
  const found = new Set<string>()
  for (const writing of person.writings) {
    const wide = Buffer.from(writing, 'utf16le')
    const forms = [Buffer.from(writing, 'utf8'), wide, Buffer.from(wide).swap16(), Buffer.from(writing.toUpperCase())]
    if (writing.length > 3 && forms.some((form) => searched.includes(form))) found.add(writing)
  }
  const writings = person.writings.map(plain).filter((writing) => writing.length > 4)
  for (const text of listStrings(copy.header))
    for (const writing of writings) if (plain(text).includes(writing)) found.add(`${writing} in "${text.slice(0, 80)}"`)
  return [...found]
}
