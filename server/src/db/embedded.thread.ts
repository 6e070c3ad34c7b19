import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import type { EmbeddedAnswer, EmbeddedStart, EmbeddedStep } from './embedded.ts'
import { quickBytes } from './embeddedBytes.ts'
import { DurableFiles, durableStart, extensions } from './embeddedFiles.ts'
import { isReading } from './isReading.ts'

/** The transaction under way: PGlite keeps it open for as long as its callback runs. */
interface Open {
  readonly inside: Transaction
  commit(): void
  rollback(): void
  readonly over: Promise<void>
}
class RolledBack extends Error {}

const { folder, leastFreeBytes } = workerData as EmbeddedStart
const files = join(folder, 'database')

let database: PGlite
let open: Open | undefined

/** Looked at right before each step that writes: the next segment of the log alone takes 16 MB. */
function assertRoom(): void {
  if (leastFreeBytes === 0) return
  const { blocks, bavail, bsize } = statfsSync(files)
  if (blocks > 0 && bavail * bsize < leastFreeBytes)
    throw Object.assign(new Error('No room: the last of the disk is kept for the log of the database.'), {
      code: '53100',
    })
}

function begin(): Promise<void> {
  return new Promise((begun, failed) => {
    const over = database.transaction(
      (inside) =>
        new Promise<void>((commit, reject) => {
          open = { inside, commit, rollback: () => reject(new RolledBack()), over: Promise.resolve().then(() => over) }
          begun()
        }),
    )
    // A failure to begin; the thread reports later failures when it is ended.
    over.catch(failed)
  })
}

/** Ends with what COMMIT says: an error when the transaction was lost before. */
async function end(how: 'commit' | 'rollback'): Promise<void> {
  const ending = open
  open = undefined
  ending?.[how]()
  await ending?.over.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error
  })
}

function run(step: EmbeddedStep): Promise<unknown> {
  switch (step.kind) {
    case 'query':
      if (step.inside && !open) throw new Error('The transaction is over.')
      if (!isReading(step.text)) assertRoom()
      return (step.inside && open ? open.inside : database).query(step.text, step.values)
    case 'exec':
      assertRoom()
      return database.exec(step.text)
    case 'begin':
      return begin()
    case 'close':
      return database.close()
    default:
      return end(step.kind)
  }
}

async function answer(id: number, work: () => Promise<unknown>): Promise<void> {
  const say = (what: EmbeddedAnswer): void => parentPort?.postMessage(what)
  try {
    say({ id, result: await work() })
  } catch (error) {
    // The fields of a database's error (code, constraint) are its own; a copied Error would lose them.
    say({ id, error: error instanceof Error ? { ...error, message: error.message } : { message: toMessage(error) } })
  }
}

/** By WASI, whose numbers of errors PGlite's file system throws in place of errors. */
const noSpace = 51

function toMessage(thrown: unknown): string {
  const { errno } = (thrown ?? {}) as { readonly errno?: number }
  if (errno === undefined) return String(thrown)
  return errno === noSpace ? 'ENOSPC: no space left on the disk' : `error ${errno} of the file system`
}

await answer(0, async () => {
  database = await PGlite.create({
    fs: new DurableFiles(files),
    startParams: durableStart,
    extensions,
    ...quickBytes,
  })
})
parentPort?.on('message', ({ id, ...step }: { id: number } & EmbeddedStep) => void answer(id, async () => run(step)))
