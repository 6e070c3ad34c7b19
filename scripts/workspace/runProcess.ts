import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { root } from './files.ts'
import { toSentence } from './toSentence.ts'

export interface ProcessResult {
  code: number
  /** The program's output, both streams. */
  text: string
  seconds: number
}

export interface RunOptions {
  env?: Record<string, string | undefined>
  /** Says nothing while it runs; the outcome holds the text. */
  isQuiet?: boolean
  cwd?: string
  /** Leaves the processor to others that want it. */
  isPatient?: boolean
  /** Ends the program before it is done. */
  signal?: AbortSignal
  /** Words by which it says that it does not end by itself: it is ended a minute later, and has failed. */
  stuck?: string
}

const leftOpenMs = 5000
const stuckMs = 60_000

/** Runs a program to its end; its words appear as they come and are kept for counting. */
export function runProcess(
  command: string,
  args: string[],
  { env, isQuiet, isPatient, cwd = root, signal, stuck }: RunOptions = {},
): Promise<ProcessResult> {
  const began = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // TypeScript's compiler hears SIGTERM and goes on.
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  })
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let text = ''
  for (const [stream, out] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!isQuiet) out.write(chunk)
      if (stuck !== undefined && chunk.includes(stuck)) setTimeout(() => child.kill('SIGKILL'), stuckMs).unref()
    })
  }
  return new Promise((resolve) => {
    const done = (code: number, more = '') =>
      resolve({ code, text: text + more, seconds: (performance.now() - began) / 1000 })
    child.on('error', (error) => done(127, error.message))
    child.on('close', (code) => done(code ?? 1))
    // What it started and left behind may hold its output open for ever.
    child.on('exit', (code) => setTimeout(() => done(code ?? 1), leftOpenMs).unref())
  })
}

export const printHeading = (title: string): void =>
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 74 - title.length))}`)

export const node = process.execPath

/** Does a command's work; what goes wrong is one sentence and exit code 1, not a stack trace. */
export async function exitOnError(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(toSentence(error))
    process.exit(1)
  }
}
