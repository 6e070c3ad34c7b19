import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Of a process and everything below it, also of those children that have ended and were waited for. */
export function processorSeconds(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readTimes(Number(pid)) ?? [])
  const seconds = (pid: number): number => {
    const own = processes.find((process) => process.pid === pid)?.ticks ?? 0
    return processes.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + seconds(child.pid), own)
  }
  return seconds(root) / ticksPerSecond
}

function readTimes(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold spaces: state, parent, …; user, system, and both of ended children are 12th to 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      pid,
      parent: Number(fields[1]),
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    }
  } catch {
    return undefined
  }
}

/** Of the thread that answers, in ms: what it worked, however long it waited for a processor. */
export const answeringThreadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
