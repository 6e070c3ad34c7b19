import { act } from '@testing-library/react'
import { recordFiles } from './recordFiles.ts'

/** A Saturday in the afternoon, on which summer time has begun in some countries and not in others. */
export const now = Date.UTC(2026, 2, 14, 15, 26, 53)

let busy = 0
async function waitFor(work: PromiseLike<unknown>): Promise<void> {
  busy += 1
  await Promise.allSettled([work])
  busy -= 1
}

/** What is done outside of the page's clock, by the platform's own threads, is waited for by its end. */
function count<T extends object>(target: T, name: keyof T): void {
  const original = target[name] as unknown as (...args: unknown[]) => unknown
  if (typeof original !== 'function') return
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]) {
      const result = original.apply(this, args)
      if (result instanceof Promise || typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') {
        void waitFor(result as PromiseLike<unknown>)
      }
      return result
    },
  })
}

function countReaders(): void {
  for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer'] as const) {
    const original = FileReader.prototype[name] as (blob: Blob) => void
    FileReader.prototype[name] = function read(this: FileReader, blob: Blob) {
      busy += 1
      this.addEventListener('loadend', () => void (busy -= 1), { once: true })
      original.call(this, blob)
    }
  }
}

/** No server is there. A real line would be refused when the machine comes to it, whatever time the page has then. */
function cutLines(): void {
  XMLHttpRequest.prototype.send = function send(this: XMLHttpRequest) {
    queueMicrotask(() => ['error', 'loadend'].forEach((type) => this.dispatchEvent(new ProgressEvent(type))))
  }
}

/** The page's clock is the test's from now on: nothing happens by the time that a machine needs. */
export function takeClock(): void {
  for (const name of ['digest', 'sign', 'verify', 'importKey', 'deriveBits'] as const)
    count(globalThis.crypto.subtle, name)
  for (const name of ['text', 'arrayBuffer'] as const) if (name in Blob.prototype) count(Blob.prototype, name)
  countReaders()
  cutLines()
  let id = 0
  Object.defineProperty(globalThis.crypto, 'randomUUID', {
    configurable: true,
    value: () => `00000000-0000-4000-a000-${String((id += 1)).padStart(12, '0')}`,
  })
}

/** Answers and what follows them need no time, but turns of the loop. */
const turnsOfAnAnswer = 4
async function untilIdle(): Promise<void> {
  for (let left = turnsOfAnAnswer; left > 0; left -= 1) {
    await recordFiles().turn()
    if (busy > 0) left = turnsOfAnAnswer
  }
}

/** Lets time pass in steps, and all that happens in it: what is drawn in one begins what happens in the next. */
export async function pass(ms: number, stepMs = 500): Promise<void> {
  await act(untilIdle)
  for (let passed = 0; passed < ms; passed += stepMs)
    await act(async () => {
      jest.advanceTimersByTime(stepMs)
      await untilIdle()
    })
}
