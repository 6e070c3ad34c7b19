const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A limit as people say it, each unit 1,024 of the one before; never more than it is: 1 byte less than 3 MB is 2.9. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Math.floor((bytes / 2 ** (10 * power)) * 10) / 10} ${units[power]}`
}
