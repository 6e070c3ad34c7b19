import { spawn } from 'node:child_process'
import { isSea } from 'node:sea'
import { compileFunction } from 'node:vm'
import path from 'node:path'
import { exitCodes } from '../stop.ts'
import { Programs } from './programs.ts'

/** The exit code by which a program asks for being started anew, because a newer one is there. */
export const startAnew = 75
/** The message of a program that it has started. */
export const readyMessage = 'dmp-uploader-ready'
/** Set for a program that is started by another one: the version that it is to run, or "own". */
export const runsVariable = 'DMP_UPLOADER_RUNS'
const readyWithinMs = 60_000

type Environment = Readonly<Record<string, string | undefined>>

export interface Launch {
  readonly args: readonly string[]
  readonly environment: Environment
  readonly stateFolder: string
  readonly own: string
  readonly keys: readonly string[]
  /** Runs until it is stopped: a newer program is tried in a process of its own, and may be replaced meanwhile. */
  readonly isLong: boolean
  /** The program that was installed. */
  readonly run: () => Promise<number>
  readonly say: (sentence: string) => void
  readonly readyMs?: number
}

/**
 * Starts the newest program that is there, signed and known to start; else the one that was installed. Whatever starts
 * in the place of an earlier one and does not come to its senses is never tried again.
 */
export async function launch(about: Launch): Promise<number> {
  const { environment, stateFolder, own, keys, isLong, run } = about
  const programs = new Programs(stateFolder, own, keys)
  const asked = environment[runsVariable]
  if (asked !== undefined) {
    endWithStarter()
    const program = asked === 'own' ? undefined : programs.read(asked)
    return program === undefined ? run() : load(program, programs.place(asked))
  }
  if (isLong) return supervise(about, programs)
  const best = programs.findBest()
  const program = best !== undefined && programs.isGood(best) ? programs.read(best) : undefined
  return program === undefined || best === undefined ? run() : load(program, programs.place(best))
}

const endWithinMs = 10_000

/**
 * Whoever started this program may be killed without a word. Alone, it would hold journal and ports against the next
 * start, and nothing would update it: so it ends as by a signal, and the next start goes on with what is on the disk.
 */
function endWithStarter(): void {
  const end = (): void => {
    // A program that is over takes the line down itself, and has set its exit code by then.
    if (process.exitCode !== undefined) return
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(exitCodes.interrupted)
  }
  process.once('disconnect', () => {
    end()
    setTimeout(end, endWithinMs).unref()
  })
}

/** Runs a program in this process: as its own first script it ends it itself. */
async function load(program: Buffer, place: string): Promise<number> {
  delete process.env[runsVariable]
  process.env[loadedVariable] = '1'
  const module = { exports: {} }
  const start = compileFunction(program.toString('utf8'), ['require', 'module', 'exports', '__filename', '__dirname'], {
    filename: place,
  }) as (...given: unknown[]) => void
  // Not imported: the bundler would put a function of its own in its place.
  start(
    process.getBuiltinModule('node:module').createRequire(place),
    module,
    module.exports,
    place,
    path.dirname(place),
  )
  // The program itself sets the exit code, and the process ends with it.
  return new Promise(() => undefined)
}
/** Set in a process whose program was chosen: it chooses no other. */
export const loadedVariable = 'DMP_UPLOADER_LOADED'

async function supervise(about: Launch, programs: Programs): Promise<number> {
  for (;;) {
    const best = programs.findBest()
    const { code, isReady } = await runChild(best ?? 'own', about)
    if (best !== undefined && isReady) programs.markGood(best)
    if (best !== undefined && !isReady && !isStopped()) {
      programs.markBad(best)
      const earlier = programs.findBest() ?? about.own
      about.say(`Uploader ${best} did not start. It is set aside, and ${earlier} goes on.`)
      continue
    }
    if (code !== startAnew || isStopped()) return code
  }
}

let stopped = false
const isStopped = (): boolean => stopped

interface Ended {
  readonly code: number
  readonly isReady: boolean
}

function runChild(version: string, { args, environment, readyMs = readyWithinMs }: Launch): Promise<Ended> {
  // A single executable carries its script and Node's options inside: here they would be taken for options of its own.
  const before = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
  const child = spawn(process.execPath, [...before, ...args], {
    env: { ...environment, [runsVariable]: version },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  let isReady = false
  const late = setTimeout(() => {
    if (version !== 'own') child.kill('SIGKILL')
  }, readyMs)
  child.on('message', (message) => {
    if (message !== readyMessage) return
    isReady = true
    clearTimeout(late)
  })
  const stop = (signal: NodeJS.Signals): void => {
    stopped = true
    // A terminal tells the whole group itself.
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return new Promise((resolve) => {
    const end = (code: number): void => {
      clearTimeout(late)
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve({ code, isReady })
    }
    child.once('error', () => end(1))
    child.once('exit', (code) => end(code ?? 1))
  })
}
