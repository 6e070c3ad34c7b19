import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeChange, type DocumentChange } from '../drills/documentSteps.ts'
import { freePort } from '../journeys/demoServer.ts'
import { copyCheckout } from '../workspace/checkoutCopy.ts'
import { node } from '../workspace/runProcess.ts'

/** `npm run dev` in a copy of this checkout. */
export interface EditedProduct {
  readonly url: string
  /** From the command to the page that can be opened. */
  readonly readySeconds: number
  /** Of a file of the copy, as an editor's debugger has it. */
  addressOf(file: string): string
  /** Replaces text in a file of the copy. */
  edit(file: string, from: string, to: string): void
  /** Does what a document says. */
  change(change: DocumentChange): void
  /** The file as it was. */
  restore(file: string): void
  stop(): Promise<void>
}

/** What the copy has not: a form and the viewer are enough, and quick to compile for the first time. */
const left = /^(?:docs|uploader|e2e|remote-(?!account|complaint))/

/** A path of 200 characters, with spaces, umlauts and an apostrophe: people keep their work in such folders. */
const awkwardName = (place: string): string => {
  const words = "Ann's Übersicht & Röntgenbilder (Kopie 2)/"
  return words.repeat(10).slice(0, 200 - place.length - 2) + 'ß'
}

export async function startEditedProduct(): Promise<EditedProduct> {
  const place = mkdtempSync(join(tmpdir(), 'dmp-edited-'))
  const folder = join(place, awkwardName(place))
  copyCheckout(folder, (file) => !left.test(file))
  const port = await freePort()
  const began = performance.now()
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(folder, 'scripts/commands/dev.ts')], {
    cwd: folder,
    // A checkout without git, too, as from an archive.
    env: {
      ...process.env,
      PATH: dirname(node),
      PORT: String(port),
      DMP_DATA_DIR: join(folder, '.data'),
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    // The server behind it may still write its last lines.
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        if (output.includes('shows what you edit')) resolve()
      })
    child.on('exit', () => reject(new Error(`npm run dev ended:\n${output.slice(-4000)}`)))
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const originals = new Map<string, string>()
  return {
    url: `http://localhost:${port}`,
    readySeconds: (performance.now() - began) / 1000,
    addressOf: (file) => pathToFileURL(join(folder, file)).href,
    edit: (file, from, to) => {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      if (!originals.has(file)) originals.set(file, text)
      if (!text.includes(from)) throw new Error(`${file} has no "${from}" to edit.`)
      writeFileSync(path, text.replace(from, to))
    },
    change: (change) => writeChange(folder, change),
    restore: (file) => writeFileSync(join(folder, file), originals.get(file) ?? ''),
    stop,
  }
}
