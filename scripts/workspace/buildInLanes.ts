import { fork } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'
import { join } from 'node:path'
import { root } from './files.ts'
import { toBuildFailure } from './toSentence.ts'

interface LaneOptions {
  /** Folder in which the releases are kept, compressed. */
  readonly store: string
  /** People who use the product already come first. */
  readonly isMeanwhile?: boolean
}

/** What a lane says of each part: nothing is wrong where `failure` is left out. */
export interface LaneReport {
  readonly line?: string
  readonly failure?: string
  readonly done?: string
}

/**
 * Builds parts beside each other, in the order given, and compresses each once for all data folders. All are tried, so
 * that one run says every error.
 */
export async function buildInLanes(
  parts: readonly string[],
  { store, isMeanwhile = false }: LaneOptions,
): Promise<void> {
  const queue = [...parts]
  const failures: string[] = []
  const { sourceCommit } = await import('../../shared/release/src/publishAll.ts')
  const commit = sourceCommit()
  const lanes = Math.min(isMeanwhile ? 1 : Math.max(1, availableParallelism()), parts.length, 4)
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const lane = openLane([store, commit], isMeanwhile)
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const failure = await lane.build(name)
        if (failure !== undefined) failures.push(failure)
      }
      await lane.close()
    }),
  )
  if (failures.length > 0) throw new Error(toBuildFailure(failures))
}

/** A process that builds one part after the other, so that the compiler is loaded once. It ends with this one. */
function openLane(args: readonly string[], isMeanwhile: boolean) {
  const child = fork(join(root, 'scripts/workspace/buildLane.ts'), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  if (isMeanwhile && child.pid !== undefined) setPriority(child.pid, 15)
  const build = (name: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const ended = (code: number | null): void =>
        resolve(`${name} was not built: the process that builds it ended (${code ?? 'by a signal'}).`)
      const hear = ({ line, failure, done }: LaneReport): void => {
        if (line !== undefined) console.log(line)
        if (done !== name) return
        child.off('exit', ended).off('message', hear)
        resolve(failure)
      }
      child.on('message', hear).once('exit', ended)
      child.send(name, (error) => error && resolve(`${name} was not built: ${error.message}`))
    })
  /** What is still being compressed is waited for. */
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      if (!child.connected) return resolve()
      child.once('exit', () => resolve())
      child.disconnect()
    })
  return { build, close }
}
