/** Whether a version lies in a range of the forms that declarations use: `^1.2.3` (same major), `~1.2.3` (same minor), `1.2.3` (this one). */
export function satisfies(version: string, range: string): boolean {
  const kind = /^[~^]/.exec(range)?.[0] ?? ''
  const have = numbers(version)
  const wanted = numbers(range.slice(kind.length))
  // Under 1.0.0 a minor may break, as everybody reads a caret.
  const fixed = kind === '' ? 3 : kind === '~' || wanted[0] === 0 ? 2 : 1
  if (have.slice(0, fixed).join() !== wanted.slice(0, fixed).join()) return false
  return compare(have, wanted) >= 0
}

const numbers = (version: string): number[] => version.split(/[-+]/, 1)[0]!.split('.').map(Number)

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
