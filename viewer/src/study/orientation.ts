import { tag, type JsonDataset } from '@dmp/dicom'

// Components smaller than this are not worth a letter: a plane tilted by less than ~10° keeps its plain name.
const worthALetter = 0.17

/** Letters of a direction in the patient (left, posterior, head are positive), the strongest first: `[1,0,0]` → `L`. */
export function directionLetters(direction: readonly number[]): string {
  const [x = 0, y = 0, z = 0] = direction
  const length = Math.hypot(x, y, z)
  if (length === 0) return ''
  return [
    { part: x / length, letter: x < 0 ? 'R' : 'L' },
    { part: y / length, letter: y < 0 ? 'A' : 'P' },
    { part: z / length, letter: z < 0 ? 'F' : 'H' },
  ]
    .filter(({ part }) => Math.abs(part) > worthALetter)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
    .map(({ letter }) => letter)
    .join('')
}

/** Where the rows and the columns of a picture lead in the patient: `L` and `F`. */
export interface PictureDirections {
  readonly rows: string
  readonly columns: string
}

const opposites: Readonly<Record<string, string>> = { L: 'R', R: 'L', A: 'P', P: 'A', H: 'F', F: 'H' }
const toOpposite = (letters: string): string => [...letters].map((letter) => opposites[letter] ?? '').join('')

/** What a radiograph says, which lies in no plane of the patient, if anything (PS3.3 C.7.6.1.1.1). */
export function readDirections(header: JsonDataset): PictureDirections | undefined {
  const [rows, columns] = header[tag.PatientOrientation]?.Value ?? []
  const isSaid = (value: unknown): value is string => typeof value === 'string' && /^[LRAPHF]{1,3}$/.test(value.trim())
  return isSaid(rows) && isSaid(columns) ? { rows: rows.trim(), columns: columns.trim() } : undefined
}

/** Letters of a direction in the picture, along its rows and its columns. */
export function pictureLetters([x = 0, y = 0]: readonly number[], { rows, columns }: PictureDirections): string {
  if (x === 0 && y === 0) return ''
  const [letters, along] = Math.abs(x) > Math.abs(y) ? [rows, x] : [columns, y]
  return along > 0 ? letters : toOpposite(letters)
}
