import type { DatabaseThread, EmbeddedStep } from './embedded.ts'
import { isReading } from './isReading.ts'
import { DatabaseAway, patiently, stepTimeoutMs } from './patience.ts'

export interface Talk {
  ask(step: EmbeddedStep): Promise<unknown>
  /** The thread's first word: the folder is open. */
  readonly isOpen: Promise<void>
  isOver(): boolean
  /** Ends the thread with whatever it is at, each call by an error of `why`; over when it touches no file any more. */
  end(why: () => Error): Promise<void>
}

export interface TalkWatch {
  /** The thread is at a statement that only reads, and its time was over a while ago. */
  onOverdue(): void
  /** The thread has answered nothing for so long that it never will. */
  onStuck(): void
  readonly overdueMs: number
  readonly stuckMs: number
}

interface PendingCall {
  resolve(result: unknown): void
  reject(error: Error): void
  /** When it is given up, in milliseconds of the process. */
  readonly due: number
  readonly kind: EmbeddedStep['kind'] | 'open'
  readonly isReading: boolean
  isGivenUp: boolean
}

/**
 * Questions to a thread by number; whatever is unanswered when the thread ends has failed. A question that takes too
 * long is given up and those behind it are refused at once; the thread goes on, and its next answer ends this.
 */
export function talkTo(thread: DatabaseThread, watch: TalkWatch): Talk {
  const pendingCalls = new Map<number, PendingCall>()
  const watcher = watchAnswers(pendingCalls, watch)
  let last = 0
  // Each caller gets an error of its own: the job queue adds the names of its workers to those that it meets.
  let endError: (() => Error) | undefined
  const end = (why: () => Error): void => {
    endError ??= why
    watcher.close()
    for (const request of pendingCalls.values()) request.reject(endError())
    pendingCalls.clear()
  }
  thread.on('message', (reply) => {
    watcher.answered()
    const pending = pendingCalls.get(reply.id)
    pendingCalls.delete(reply.id)
    // Nobody is there any more to end it.
    if (pending?.kind === 'begin' && pending.isGivenUp && 'result' in reply)
      thread.postMessage({ id: (last += 1), kind: 'rollback' })
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(Object.assign(new Error(reply.error.message), reply.error))
  })
  thread.on('error', (cause) => end(() => new Error(cause instanceof Error ? cause.message : String(cause), { cause })))
  thread.on('exit', () => end(() => new Error('The embedded database is closed.')))

  const answerTo = (id: number, kind: PendingCall['kind'], isReading = false): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const due = performance.now() + stepTimeoutMs()
      pendingCalls.set(id, { resolve, reject, kind, isReading, due, isGivenUp: false })
    })
  return {
    ask: (step) => {
      const isRollback = step.kind === 'rollback'
      // A transaction ends with its thread.
      if (endError) return isRollback ? Promise.resolve() : Promise.reject(endError())
      if (watcher.isSilent() && !isRollback && step.kind !== 'close') return Promise.reject(new DatabaseAway())
      last += 1
      thread.postMessage({ id: last, ...step })
      // To be done as soon as the thread goes on, without anybody waiting for it.
      if (watcher.isSilent() && isRollback) return Promise.resolve()
      return answerTo(last, step.kind, step.kind === 'query' && isReading(step.text))
    },
    isOpen: patiently(() => answerTo(0, 'open')) as Promise<void>,
    isOver: () => endError !== undefined,
    end: async (why) => {
      end(why)
      await thread.terminate()
    },
  }
}

interface AnswerWatch {
  answered(): void
  /** A call was given up since the last answer. */
  isSilent(): boolean
  close(): void
}

const lookMs = 250

/** Gives up calls that are due, and tells when the thread has been silent for too long. */
function watchAnswers(pendingCalls: ReadonlyMap<number, PendingCall>, watch: TalkWatch): AnswerWatch {
  let lastAnswer = performance.now()
  let isSilent = false
  const timer = setInterval(() => {
    const now = performance.now()
    for (const call of pendingCalls.values()) {
      if (call.due > now || call.isGivenUp) continue
      call.isGivenUp = true
      isSilent = true
      call.reject(new DatabaseAway())
    }
    // The thread works in order: the oldest call is the one that it is at.
    const [oldest] = pendingCalls.values()
    const silentMs = oldest ? now - Math.max(lastAnswer, oldest.due) : 0
    const isOverdue = oldest?.isReading === true && silentMs >= watch.overdueMs
    if (!isOverdue && silentMs < watch.stuckMs) return
    clearInterval(timer)
    if (isOverdue) watch.onOverdue()
    else watch.onStuck()
  }, lookMs)
  timer.unref()
  return {
    answered: () => {
      lastAnswer = performance.now()
      isSilent = false
    },
    isSilent: () => isSilent,
    close: () => clearInterval(timer),
  }
}
