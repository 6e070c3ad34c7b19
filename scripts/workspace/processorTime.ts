import { existsSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * Seconds of processor that this process's programs have used, those included that they started and waited for; 0
 * where the system does not say it (only Linux does).
 */
export function childSeconds(stat = readStat()): number {
  // The name before it may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[13], fields[14]].map(Number)
  return ((user || 0) + (system || 0)) / ticksPerSecond
}

const readStat = (): string => (existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : '')
