import { reasonOf } from '../../../core/rounds.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { Busy } from '../oneAtATime.ts'
import { endIdleImports, runImport } from './importJob.ts'
import type { ImportFiles } from './importFiles.ts'

/** Of different organizations; each reads a few objects at a time. */
const atOnce = 2
const lookMs = 5000
/** Between two tries of one that was interrupted. */
const pauseMs = 10_000

/**
 * Takes in the archives that lie on this server. No job of any server: the bytes are in this data folder, so the server
 * that has them looks for them, also after a stop.
 */
export class ImportRunner {
  readonly #deps: Dependencies
  readonly #files: ImportFiles
  readonly #running = new Map<string, Promise<void>>()
  readonly #notBefore = new Map<string, number>()
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #looking = Promise.resolve()

  constructor(deps: Dependencies, files: ImportFiles) {
    this.#deps = deps
    this.#files = files
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), lookMs).unref()
    this.wake()
  }

  /** Looks what there is to do; also for archives that nobody needs any more. */
  wake(): void {
    this.#looking = this.#looking.then(() => this.#look()).catch((cause: unknown) => this.#warn(cause))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#looking
    await Promise.all(this.#running.values())
  }

  async #look(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await endIdleImports(this.#deps, this.#files)
    const rows = await this.#files.listHere()
    for (const id of this.#notBefore.keys()) if (!rows.some((row) => row.id === id)) this.#notBefore.delete(id)
    for (const row of rows) {
      const { id } = row
      if (row.state === 'Uploading' && !(await this.#files.settle(row))) continue
      if (this.#running.has(id) || this.#running.size >= atOnce) continue
      if ((this.#notBefore.get(id) ?? 0) > performance.now()) continue
      this.#running.set(id, this.#run(id))
    }
  }

  async #run(id: string): Promise<void> {
    let goesOn = true
    try {
      await runImport(this.#deps, this.#files, id, this.#stopping.signal)
      this.#notBefore.delete(id)
    } catch (cause) {
      goesOn = false
      this.#notBefore.set(id, performance.now() + pauseMs)
      // The operator moves the same organization: it waits.
      if (!(cause instanceof Busy) && !this.#stopping.signal.aborted) this.#warn(cause)
    } finally {
      this.#running.delete(id)
    }
    // The next one may have waited for this one.
    if (goesOn) this.wake()
  }

  #warn(cause: unknown): void {
    this.#deps.log.warn({ reason: reasonOf(cause) }, 'an import was interrupted; it goes on')
  }
}
