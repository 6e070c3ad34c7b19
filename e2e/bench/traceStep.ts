import type { CDPSession } from 'playwright'

/** What the main thread did, of its own clock, which stands while another process has the processor. */
export interface Traced {
  /** From the press until the next frame was handed over to be drawn. */
  readonly nextPaintMs: number
  /** From the press until what was asked for was drawn. */
  readonly resultMs: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Of the thread's clock, µs. */
  readonly tts?: number
  readonly tdur?: number
  readonly args?: { readonly data?: { readonly type?: string } }
}

/** The page's script leaves this mark when what was asked for was drawn. */
const mark = 'bench-reached'
const first = ['pointerdown', 'keydown']
const presses = [...first, 'pointerup', 'click', 'keypress', 'input']

/** Traces the thread while something is pressed. */
export async function traceStep<T>(session: CDPSession, work: () => Promise<T>): Promise<{ value: T; traced: Traced }> {
  const events: TraceEvent[] = []
  const add = ({ value }: { value: object[] }): void => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', add)
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['devtools.timeline', 'blink.user_timing'], excludedCategories: ['*'] },
    transferMode: 'ReportEvents',
  })
  const value = await work()
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', add)
  return { value, traced: readTrace(events) }
}

function readTrace(all: readonly TraceEvent[]): Traced {
  const typeOf = ({ name, args }: TraceEvent): string => (name === 'EventDispatch' ? (args?.data?.type ?? '') : '')
  const one = all.find((event) => first.includes(typeOf(event)))
  const events = all
    .filter(({ pid, tid, tts }) => pid === one?.pid && tid === one.tid && tts !== undefined)
    .map((event) => ({ ...event, tts: event.tts ?? 0 }))
    .sort((a, b) => a.tts - b.tts)
  const pressed = events.filter((event) => presses.includes(typeOf(event)))
  const [start, last] = [pressed[0]?.tts ?? Number.NaN, pressed.at(-1)?.tts ?? Number.NaN]
  const frame = events.find(({ name, tts }) => name === 'Paint' && tts >= last)
  // A mark has no time of the thread; what ran when it was set has one.
  const markedAt = all.findLast(({ name, pid }) => name === mark && pid === one?.pid)?.ts ?? Number.NaN
  const reached = events.findLast(({ ts }) => ts <= markedAt)
  if (!frame || !reached) throw new Error('The trace lacks the frame after the press, or the mark of the result.')
  return { nextPaintMs: (frame.tts + (frame.tdur ?? 0) - start) / 1000, resultMs: (reached.tts - start) / 1000 }
}
