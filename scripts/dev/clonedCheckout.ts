import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../journeys/demoServer.ts'
import { root } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'

/** A fresh clone of what is committed here, as a newcomer has it. What is measured is told in seconds. */
export interface ClonedCheckout {
  /** Runs a command to its end. */
  run(command: readonly [string, ...string[]]): Promise<string>
  /** `npm start` until it says that it is ready. */
  start(): Promise<string>
  edit(file: string, from: string, to: string): void
  forgetBuilds(): void
  remove(): void
}

export function cloneCheckout(): ClonedCheckout {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-clone-'))
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', root, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The checkout could not be cloned: ${stderr.trim()}`)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  return {
    run: async ([command, ...args]) => {
      const { code, text, seconds } = await runProcess(command, args, { cwd: folder, isQuiet: true })
      if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${text.slice(-4000)}`)
      return format(seconds)
    },
    start: () => startOnce(folder),
    edit: (file, from, to) => {
      const text = readFileSync(join(folder, file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
      writeFileSync(join(folder, file), text.replace(from, to))
    },
    forgetBuilds: () => {
      const built = globSync(['*/dist', '.cache/webpack', '.cache/releases'], { cwd: folder })
      for (const path of built) rmSync(join(folder, path), { recursive: true, force: true })
    },
    remove,
  }
}

const format = (seconds: number): string => `${seconds.toFixed(1)} s`

async function startOnce(folder: string): Promise<string> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(await freePort()), DMP_DATA_DIR: join(folder, '.data'), DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  const ready = new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        if (output.includes('is ready')) resolve((performance.now() - began) / 1000)
      })
    child.once('exit', () => reject(new Error(`npm start ended:\n${output.slice(-4000)}`)))
  })
  const seconds = await ready
  // The second start finds everything built.
  while (output.includes('Still being built') && !saysLast(output))
    await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGTERM')
  await ended
  return format(seconds)
}

/** "Now there: the uploader (2 of 2)." */
const saysLast = (output: string): boolean =>
  [...output.matchAll(/\((\d{1,3}) of (\d{1,3})\)/g)].some(([, there, all]) => there === all)
