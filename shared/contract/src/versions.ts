/** Uploaders before this one are told that they are too old; raise it only where an older one would do harm. */
export const oldestUploader = '1.0.0'

/** Three numbers with points between. */
export const versionPattern = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

/** Negative where the first version is older, positive where it is newer, 0 where both are the same. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const index = left?.findIndex((part, place) => part !== right?.[place]) ?? -1
  return index < 0 ? 0 : (left?.[index] ?? 0) - (right?.[index] ?? 0)
}
