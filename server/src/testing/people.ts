import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callsAt, objectOf, type Answered } from './callsFromOutside.ts'

/** What it cost people that something of the machine was gone. */
export interface Toll {
  calls: number
  /** Calls that failed, were made again as clients do, and then succeeded. */
  repeated: number
  failed: number
  signedOut: number
  uploads: number
  /** Of what was acknowledged. */
  lost: number
  /** How long somebody waited for an answer, with every try, in milliseconds. */
  longestMs: number
}

export const noToll = (): Toll => ({
  calls: 0,
  repeated: 0,
  failed: 0,
  signedOut: 0,
  uploads: 0,
  lost: 0,
  longestMs: 0,
})

export interface People {
  readonly toll: Toll
  /** Why calls failed, once each. */
  readonly complaints: ReadonlySet<string>
  /** What was acknowledged: the hash of each study's only object. */
  readonly sent: ReadonlyMap<string, string>
  /** They finish what they are at. */
  end(): Promise<void>
}

export interface Crowd {
  /** Who look at lists and at their profile, ten times a second each. */
  readonly looking: number
  /** Who upload studies of one object, resumably, one after the other; and who send such objects by STOW-RS. */
  readonly uploading: number
  readonly storing: number
  /** The second number of the studies' UIDs. */
  readonly root: number
}

/** What a proxy or a server says that has nothing at the moment: worth another try. */
const passing = [0, 429, 502, 503, 504]
/** Half a second apart. */
const mostTries = 120
const patienceMs = 60_000

/** People at an address who work without a pause, and do what good clients do when an answer fails to come. */
export async function startPeople(url: string, crowd: Crowd): Promise<People> {
  const calls = callsAt(url)
  const toll = noToll()
  const complaints = new Set<string>()
  const sent = new Map<string, string>()
  const over = new AbortController()

  const once = async (ask: () => Promise<Answered>): Promise<Answered> => {
    toll.calls += 1
    const late = pause(patienceMs, undefined, { ref: false }).then(() => undefined)
    const answered = await Promise.race([ask().catch(() => undefined), late])
    return answered ?? { status: 0, headers: new Headers(), text: '' }
  }
  /** Again after a moment, where that is worth it. */
  const patiently = async (what: string, ask: () => Promise<Answered>): Promise<Answered> => {
    const began = performance.now()
    for (let tries = 1; ; tries += 1) {
      const reply = await once(ask)
      if (!passing.includes(reply.status) || tries === mostTries) {
        const isRefused = reply.status === 0 || reply.status >= 400
        if (reply.status === 401) toll.signedOut += 1
        if (isRefused) toll.failed += 1
        if (isRefused) complaints.add(`${what}: ${reply.status} ${reply.text.slice(0, 200)}`)
        toll.longestMs = Math.max(toll.longestMs, performance.now() - began)
        return reply
      }
      toll.repeated += 1
      await pause(500)
    }
  }

  const headers = await calls.signIn('staff@north.example')
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const acknowledge = (study: string, bytes: Buffer): void => {
    sent.set(study, createHash('sha256').update(bytes).digest('hex'))
    toll.uploads += 1
  }

  async function look(): Promise<void> {
    const paths = [
      '/api/account/profile',
      '/api/Scan/list?page=1&pageSize=10',
      '/api/Complaint/list?page=1&pageSize=10',
    ]
    for (let nth = 0; !over.signal.aborted; nth += 1) {
      const path = paths[nth % paths.length] ?? ''
      await patiently(path, () => calls.ask('GET', path, headers))
      await pause(100)
    }
  }

  /** By steps of 300,000 bytes; after a step that failed they ask, and go on from what they are told. */
  async function upload(study: string): Promise<void> {
    const bytes = objectOf(study, 1, 2 ** 21)
    const begun = await patiently('a new upload', () =>
      calls.ask('POST', '/api/Scan/uploads', { ...tus, 'upload-length': String(bytes.length) }),
    )
    const path = begun.headers.get('location')
    let acknowledged = 0
    while (path !== null && acknowledged < bytes.length) {
      const step = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(acknowledged) }
      const piece = bytes.subarray(acknowledged, acknowledged + 300_000)
      const reply = await once(() => calls.ask('PATCH', path, step, piece))
      if (reply.status !== 204) toll.repeated += 1
      const said = reply.status === 204 ? reply : await patiently('an upload', () => calls.ask('HEAD', path, tus))
      const offset = Number(said.headers.get('upload-offset') ?? -1)
      if (offset < acknowledged) toll.lost += 1
      if (offset < acknowledged) complaints.add(`an upload stood at ${acknowledged}, and stands at ${offset}`)
      if (offset < 0) return
      acknowledged = offset
    }
    if (acknowledged === bytes.length) acknowledge(study, bytes)
  }

  async function store(study: string): Promise<void> {
    const bytes = objectOf(study, 1, 2 ** 17)
    // Sent again where nobody answered: an object that is known already is stored as well (PS3.18).
    const { status } = await patiently('STOW-RS', () => calls.stow(headers, [bytes]))
    if (status === 200) acknowledge(study, bytes)
  }

  const inTurn = async (lane: number, send: (study: string) => Promise<void>): Promise<void> => {
    for (let nth = 1; !over.signal.aborted; nth += 1) await send(`1.${crowd.root}.${lane}.${nth}`)
  }
  const atWork = [
    ...Array.from({ length: crowd.looking }, look),
    ...Array.from({ length: crowd.uploading }, (_, lane) => inTurn(lane + 1, upload)),
    ...Array.from({ length: crowd.storing }, (_, lane) => inTurn(crowd.uploading + lane + 1, store)),
  ]
  return {
    toll,
    complaints,
    sent,
    end: async () => {
      over.abort()
      await Promise.all(atWork)
    },
  }
}
