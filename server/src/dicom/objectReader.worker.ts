import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ByteSource } from './byteSource.ts'
import type { ReaderMessage, ThreadMessage } from './objectReader.ts'
import { readerTasks, type TaskContext } from './readerTasks.ts'
import { DicomRefusal } from './refusal.ts'
import { listOwnMemory } from './threadBytes.ts'

/** The answering thread comes first where both want the processor; see `hashing.thread.ts`. */
const niceness = 5
if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()))

const { scratchFolder } = workerData as { scratchFolder: string }
const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)

let onBytes: ((message: Extract<ReaderMessage, { kind: 'bytes' }>) => void) | undefined

/** The bytes of an object in the hands of the answering thread, which sends the first ones along with the task. */
function createRemoteSource(size: number, first: Buffer): ByteSource {
  return {
    size,
    async read(offset, length) {
      const end = Math.min(offset + length, size)
      if (end <= offset) return Buffer.alloc(0)
      if (end <= first.length) return first.subarray(offset, end)
      const answer = Promise.withResolvers<Extract<ReaderMessage, { kind: 'bytes' }>>()
      onBytes = answer.resolve
      send({ kind: 'read', offset, length: end - offset })
      const { bytes } = await answer.promise
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    },
  }
}

async function work({ task, input, size, first }: Extract<ReaderMessage, { kind: 'task' }>): Promise<void> {
  const open = new Set<() => Promise<void>>()
  const context: TaskContext = {
    source: createRemoteSource(size, Buffer.from(first.buffer, first.byteOffset, first.length)),
    createScratchFile: () => {
      const path = join(scratchFolder, `${randomUUID()}.part`)
      send({ kind: 'scratch', path })
      return path
    },
    closeAfterwards: (close) => void open.add(close),
  }
  try {
    // The message fits the task: both sides have it from one table.
    const run = readerTasks[task] as (input: unknown, context: TaskContext) => Promise<unknown>
    const result = await run(input, context)
    send({ kind: 'done', result }, listOwnMemory(result))
  } catch (cause) {
    if (cause instanceof DicomRefusal) send({ kind: 'refused', reason: cause.reason, sentence: cause.message })
    else send({ kind: 'failed', message: cause instanceof Error ? cause.message : 'unknown' })
  } finally {
    for (const close of open) await close()
  }
}

parentPort?.on('message', (message: ReaderMessage) => {
  if (message.kind === 'bytes') onBytes?.(message)
  else void work(message)
})
send({ kind: 'ready' })
