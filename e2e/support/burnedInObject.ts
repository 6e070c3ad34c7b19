import { element, number, writeFile, type Identity } from './dicomFile.ts'

/** A picture as ultrasound machines make them: a fan of echoes, and a name above it. */

const [columns, rows] = [320, 240]
/** Where the name stands. */
export const nameBox = { x: 12, y: 8, width: 150, height: 22 } as const

/** Letters of five by seven points. */
const letters: Readonly<Record<string, readonly string[]>> = {
  J: ['..###', '...#.', '...#.', '...#.', '#..#.', '#..#.', '.##..'],
  O: ['.###.', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  U: ['#...#', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  R: ['####.', '#...#', '#...#', '####.', '#.#..', '#..#.', '#...#'],
  N: ['#...#', '##..#', '#.#.#', '#..##', '#...#', '#...#', '#...#'],
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  Y: ['#...#', '#...#', '.#.#.', '..#..', '..#..', '..#..', '..#..'],
}
const point = 3

function isLetter(x: number, y: number): boolean {
  const [across, down] = [Math.floor((x - nameBox.x) / point), Math.floor((y - nameBox.y) / point)]
  if (across < 0 || down < 0) return false
  const letter = letters['JOURNEY'[Math.floor(across / 7)] ?? '']
  return letter?.[down]?.[across % 7] === '#'
}

/** In grey, with some noise that is the same each time. */
function shadeOf(x: number, y: number, picture: number): number {
  if (isLetter(x, y)) return 255
  const [side, depth] = [x - columns / 2, y - 36]
  const distance = Math.hypot(side, depth)
  if (depth < 0 || distance < 20 || distance > 190 || Math.abs(side) > depth * 0.8) return 0
  return 40 + ((x * 7919 + y * 104_729 + picture * 31) % 97) + Math.round(40 * Math.sin(distance / 9 + picture))
}

/** `frames` pictures in colour, one after the other. */
export function aBurnedInFile(identity: Identity, slice: number, frames = 1): Buffer {
  const pixels = Buffer.alloc(columns * rows * 3 * frames)
  for (let at = 0; at < columns * rows * frames; at += 1) {
    const inFrame = at % (columns * rows)
    const picture = slice + Math.floor(at / (columns * rows))
    pixels.fill(shadeOf(inFrame % columns, Math.floor(inFrame / columns), picture), at * 3, at * 3 + 3)
  }
  const image = [
    element('00280002', 'US', number(3)),
    element('00280004', 'CS', 'RGB'),
    element('00280006', 'US', number(0)),
    element('00280008', 'IS', String(frames)),
    element('00280010', 'US', number(rows)),
    element('00280011', 'US', number(columns)),
    element('00280100', 'US', number(8)),
    element('00280101', 'US', number(8)),
    element('00280102', 'US', number(7)),
    element('00280103', 'US', number(0)),
    element('00280301', 'CS', 'YES'),
    element('7FE00010', 'OB', pixels),
  ]
  return writeFile(identity, image, { slice })
}
