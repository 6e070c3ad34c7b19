import { limits } from '@dmp/contract/limits'
import { closeCodes, closeReasons, ServerFrame, type ClientFrame } from '@dmp/contract/live'
import type { Live } from '@dmp/kit'
import * as v from 'valibot'
import { LiveError, liveTexts } from './liveTexts.ts'

export interface LiveEvents {
  /** The address with session id and client id, read at each connect. */
  readonly address: () => string
  /** The access token for the first message; null when there is none. */
  readonly token: () => string | null
  readonly onFrame: (frame: ServerFrame) => void
  readonly onState: (state: Live) => void
  /** Closed cleanly because the session ended (app-logout). */
  readonly onLogout: () => void
  /** Closed for a reason that the user should know (8.04); the client does not reconnect by itself. */
  readonly onError: (error: LiveError, closeCode: number) => void
}

export interface LiveClient {
  /** Returns false, and only logs, when the channel is not open (8.04). */
  readonly send: (frame: ClientFrame) => boolean
  /**
   * Connects immediately with a fresh count of attempts, for example when back online. Does nothing while the channel
   * is open.
   */
  readonly retry: () => void
  readonly close: () => void
}

/** 9.08: the delay before attempt number `attempt`, counted from 0. */
export function reconnectDelay(attempt: number): number {
  return Math.min(limits.reconnectFirstDelayMs * 2 ** attempt, limits.reconnectMaxDelayMs)
}

/** The meaning of a close: the session ended, an error for the user, another attempt, or waiting to be online. */
type CloseMeaning = 'ended' | 'again' | 'wait' | LiveError

function interpretClose(code: number, reason: string, attempts: number, message?: string): CloseMeaning {
  if (reason === closeReasons.logout) return 'ended'
  // 8.04 has two sentences: the server's message says which; without one, the close itself does.
  if (reason === closeReasons.error)
    return new LiveError(400, message === liveTexts.invalidId ? liveTexts.invalidId : liveTexts.invalid)
  if (code === closeCodes.refused) return new LiveError(400, liveTexts.invalidId)
  if (!navigator.onLine) return 'wait'
  return attempts >= limits.reconnectMaxTries ? new LiveError(500, liveTexts.exhausted) : 'again'
}

/** Opens the live channel and keeps it open (4.14, 7.41). */
export function openLiveChannel(events: LiveEvents): LiveClient {
  const client = new Client(events)
  client.connect()
  return { send: (frame) => client.send(frame), retry: () => client.retry(), close: () => client.close() }
}

class Client {
  readonly #events: LiveEvents
  #socket: WebSocket | undefined
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false
  /** Of the error frame that came before the close. */
  #message: string | undefined

  constructor(events: LiveEvents) {
    this.#events = events
  }

  connect(): void {
    clearTimeout(this.#timer)
    this.#events.onState('connecting')
    this.#message = undefined
    const socket = new WebSocket(this.#events.address())
    this.#socket = socket
    socket.onopen = () => {
      const accessToken = this.#events.token()
      if (accessToken) sendFrame(socket, { type: 'renewToken', accessToken })
      this.#events.onState('open')
    }
    socket.onmessage = ({ data }) => this.#receive(socket, data)
    socket.onclose = ({ code, reason }) => {
      this.#socket = undefined
      if (!this.#isOver) this.#handleClose(code, reason)
    }
  }

  #receive(socket: WebSocket, data: unknown): void {
    const frame = parseFrame(data)
    if (!frame) return
    // The server answers, so the next break starts a new count.
    this.#attempts = 0
    if (frame.type === 'logout') socket.close(closeCodes.clean, closeReasons.logout)
    else if (frame.type === 'error') {
      this.#message = frame.message
      socket.close(closeCodes.refused, closeReasons.error)
    } else this.#events.onFrame(frame)
  }

  #handleClose(code: number, reason: string): void {
    const meaning = interpretClose(code, reason, this.#attempts, this.#message)
    if (meaning === 'ended') {
      this.#stop()
      this.#events.onLogout()
    } else if (meaning instanceof LiveError) {
      this.#events.onState('failed')
      this.#events.onError(meaning, code)
    } else {
      this.#events.onState('waiting')
      if (meaning === 'again') this.#timer = setTimeout(() => this.connect(), reconnectDelay(this.#attempts++))
    }
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#events.onState('off')
  }

  send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      sendFrame(this.#socket, frame)
      return true
    }
    console.warn(`${liveTexts.notOpen} (${frame.type})`)
    return false
  }

  retry(): void {
    if (this.#isOver || this.#socket) return
    this.#attempts = 0
    this.connect()
  }

  close(): void {
    if (this.#isOver) return
    const socket = this.#socket
    this.#stop()
    if (socket?.readyState === WebSocket.OPEN) sendFrame(socket, { type: 'logout' })
    socket?.close(closeCodes.clean, closeReasons.logout)
  }
}

const sendFrame = (socket: WebSocket, frame: ClientFrame): void => socket.send(JSON.stringify(frame))

function parseFrame(data: unknown): ServerFrame | undefined {
  try {
    const parsed = v.safeParse(ServerFrame, JSON.parse(String(data)))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
