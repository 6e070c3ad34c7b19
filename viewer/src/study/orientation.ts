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
