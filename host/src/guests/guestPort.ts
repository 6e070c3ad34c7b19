import {
  FromGuest,
  guestLimits,
  isOpenToGuests,
  type GuestCall,
  type GuestRefusal,
  type ToGuest,
} from '@dmp/contract/guest'
import type { ObservationKind } from '@dmp/contract/releaseReport'
import { CallError, type Asked } from '@dmp/kit'
import * as v from 'valibot'

/** What a page does for its guest, and what it wants to hear from it. */
export interface GuestDuties {
  readonly part: string
  /** The calls that the guest's release declares. */
  readonly calls: readonly string[]
  readonly ask: (asked: Asked, signal: AbortSignal) => Promise<unknown>
  readonly onGo: (to: string, isReplacing: boolean) => void
  readonly onTitle: (title: string) => void
  readonly onUnsaved: (isUnsaved: boolean) => void
  readonly onActive: () => void
  readonly onKey: (key: string) => void
  readonly onDrawn: () => void
  readonly onFailed: (what: ObservationKind) => void
  readonly onPong: () => void
  /** Something was refused; the sentence names it. */
  readonly onRefused: (what: string) => void
  /** It asks for more than it may: the port is closed. */
  readonly onFlood: () => void
}

export interface GuestPort {
  readonly tell: (message: ToGuest) => void
  readonly close: () => void
}

const spanMs = 10_000

/** Serves one guest at the port that only its frame was given. Deny first: what is not understood does nothing. */
export function serveGuest(port: MessagePort, duties: GuestDuties): GuestPort {
  const running = new Map<number, AbortController>()
  const isFlood = countMessages()
  const tell = (message: ToGuest): void => port.postMessage(message)
  const close = (): void => {
    port.close()
    port.onmessage = null
    for (const controller of running.values()) controller.abort()
    running.clear()
  }
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isFlood() || measure(data) > guestLimits.messageChars) {
      close()
      duties.onFlood()
      return
    }
    const parsed = v.safeParse(FromGuest, data)
    if (parsed.success) take(parsed.output)
    else duties.onRefused('a message of no known kind')
  }

  function take(message: FromGuest): void {
    if ('call' in message) void answer(message)
    else if ('stop' in message) running.get(message.stop)?.abort()
    else if ('go' in message) duties.onGo(message.go, message.isReplacing)
    else if ('title' in message) duties.onTitle(message.title)
    else if ('isUnsaved' in message) duties.onUnsaved(message.isUnsaved)
    else if ('isActive' in message) duties.onActive()
    else if ('key' in message) duties.onKey(message.key)
    else if ('drawn' in message) duties.onDrawn()
    else if ('failed' in message) duties.onFailed(message.failed)
    else duties.onPong()
  }

  async function answer(message: GuestCall): Promise<void> {
    const { id } = message
    if (running.has(id)) return duties.onRefused('a second call of one number')
    const refusal = refuse(message, duties, running.size)
    if (refusal) {
      if (refusal.status === 403) duties.onRefused(message.call)
      return tell({ id, refusal })
    }
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const reply = await duties.ask(toAsked(message), controller.signal)
      if (running.has(id)) tell({ id, reply })
    } catch (error) {
      if (running.has(id)) tell({ id, refusal: toRefusal(error) })
    } finally {
      running.delete(id)
    }
  }

  return { tell, close }
}

/** Returns whether there were too many messages within ten seconds, this one included. */
function countMessages(): () => boolean {
  let [since, count] = [performance.now(), 0]
  return () => {
    const now = performance.now()
    if (now - since > spanMs) [since, count] = [now, 0]
    count += 1
    return count > guestLimits.messagesPerTenSeconds
  }
}

/** Its length as JSON; what cannot be written so is too long. */
function measure(data: unknown): number {
  try {
    return JSON.stringify(data)?.length ?? 0
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function refuse({ call, path }: GuestCall, { part, calls }: GuestDuties, running: number): GuestRefusal | undefined {
  const no = (status: number, code: string, message: string): GuestRefusal => ({ status, code, message, fields: [] })
  if (!calls.includes(call) || !isOpenToGuests(call))
    return no(403, 'GUEST_UNDECLARED', `${call} is not among the calls that ${part} may make.`)
  if (!fits(call, path)) return no(403, 'GUEST_ADDRESS', `${path} is no address of ${call}.`)
  if (running >= guestLimits.callsAtOnce)
    return no(429, 'GUEST_BUSY', `${part} makes ${guestLimits.callsAtOnce} calls at once already.`)
  return undefined
}

/** Whether a path is that of the call with its parameters filled in, each by one segment that leads nowhere else. */
function fits(call: string, path: string): boolean {
  const [wanted, given] = [call.replace(/^\w+ /, '').split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((word, index) => {
      const segment = given[index] ?? ''
      return word.startsWith(':') ? /^(?!\.{1,2}$)(?:[\w.~!*'()-]|%[0-9A-F]{2})+$/.test(segment) : word === segment
    })
  )
}

const toAsked = ({ call, path, query, body, seenUpdatedDate }: GuestCall): Asked => ({
  name: call,
  method: call.slice(0, call.indexOf(' ')),
  path,
  query,
  body,
  seenUpdatedDate,
})

/** What a failed call says of itself, and nothing of what this page's code says. */
function toRefusal(error: unknown): GuestRefusal {
  if (!(error instanceof CallError))
    return { status: 0, code: 'UNKNOWN', message: 'An unknown error occurred', fields: [] }
  const { status, code, message, fields, requestId, retryAfter } = error
  return { status, code, message, fields, requestId, retryAfter }
}
