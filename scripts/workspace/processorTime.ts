import { existsSync, readFileSync } from 'node:fs'
import { cpus, type CpuInfo } from 'node:os'

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

/** Says, each time, how much of all processors has had nothing to do since the time before: 0 to 1. */
export function watchIdle(read: () => readonly Pick<CpuInfo, 'times'>[] = cpus): () => number {
  const sum = (): readonly [idle: number, all: number] => {
    const times = read().map((processor) => processor.times)
    return [
      times.reduce((all, { idle }) => all + idle, 0),
      times.reduce((all, { user, nice, sys, idle, irq }) => all + user + nice + sys + idle + irq, 0),
    ]
  }
  let before = sum()
  return () => {
    const now = sum()
    const [idle, all] = [now[0] - before[0], now[1] - before[1]]
    before = now
    return all > 0 ? idle / all : 0
  }
}
