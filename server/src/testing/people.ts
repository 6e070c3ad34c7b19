import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callsAt, objectOf, type Answered, type OutsideCalls } from './callsFromOutside.ts'

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
  const worker = new Worker(url)
  await worker.signIn()
  const { toll, complaints, sent } = worker
  const over = new AbortController()
  const untilOver = async (work: (nth: number) => Promise<void>): Promise<void> => {
    for (let nth = 1; !over.signal.aborted; nth += 1) await work(nth)
  }
  const atWork = [
    ...Array.from({ length: crowd.looking }, () => untilOver((nth) => worker.look(nth))),
    ...Array.from({ length: crowd.uploading }, (_, lane) =>
      untilOver((nth) => worker.upload(`1.${crowd.root}.${lane + 1}.${nth}`)),
    ),
    ...Array.from({ length: crowd.storing }, (_, lane) =>
      untilOver((nth) => worker.store(`1.${crowd.root}.${crowd.uploading + lane + 1}.${nth}`)),
    ),
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

const paths = ['/api/account/profile', '/api/Scan/list?page=1&pageSize=10', '/api/Complaint/list?page=1&pageSize=10']

class Worker {
  readonly toll = noToll()
  readonly complaints = new Set<string>()
  readonly sent = new Map<string, string>()
  readonly #calls: OutsideCalls
  #headers: Record<string, string> = {}

  constructor(url: string) {
    this.#calls = callsAt(url)
  }

  async signIn(): Promise<void> {
    this.#headers = await this.#calls.signIn('staff@north.example')
  }

  async look(nth: number): Promise<void> {
    const path = paths[nth % paths.length] ?? ''
    await this.#patiently(path, () => this.#calls.ask('GET', path, this.#headers))
    await pause(100)
  }

  /** By steps of 300,000 bytes; after a step that failed it asks, and goes on from what it is told. */
  async upload(study: string): Promise<void> {
    const { ask } = this.#calls
    const bytes = objectOf(study, 1, 2 ** 21)
    const tus = { ...this.#headers, 'tus-resumable': '1.0.0' }
    const begun = await this.#patiently('a new upload', () =>
      ask('POST', '/api/Scan/uploads', { ...tus, 'upload-length': String(bytes.length) }),
    )
    const path = begun.headers.get('location')
    let acknowledged = 0
    while (path !== null && acknowledged < bytes.length) {
      const step = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(acknowledged) }
      const piece = bytes.subarray(acknowledged, acknowledged + 300_000)
      const reply = await this.#once(() => ask('PATCH', path, step, piece))
      if (reply.status !== 204) this.toll.repeated += 1
      const said = reply.status === 204 ? reply : await this.#patiently('an upload', () => ask('HEAD', path, tus))
      const offset = Number(said.headers.get('upload-offset') ?? -1)
      if (offset < acknowledged) this.toll.lost += 1
      if (offset < acknowledged) this.complaints.add(`an upload stood at ${acknowledged}, and stands at ${offset}`)
      if (offset < 0) return
      acknowledged = offset
    }
    if (acknowledged === bytes.length) this.#acknowledge(study, bytes)
  }

  /** Sent again where nobody answered: an object that is known already is stored as well (PS3.18). */
  async store(study: string): Promise<void> {
    const bytes = objectOf(study, 1, 2 ** 17)
    const { status } = await this.#patiently('STOW-RS', () => this.#calls.stow(this.#headers, [bytes]))
    if (status === 200) this.#acknowledge(study, bytes)
  }

  #acknowledge(study: string, bytes: Buffer): void {
    this.sent.set(study, createHash('sha256').update(bytes).digest('hex'))
    this.toll.uploads += 1
  }

  async #once(ask: () => Promise<Answered>): Promise<Answered> {
    this.toll.calls += 1
    const late = pause(patienceMs, undefined, { ref: false }).then(() => undefined)
    const answered = await Promise.race([ask().catch(() => undefined), late])
    return answered ?? { status: 0, headers: new Headers(), text: '' }
  }

  /** Again after a moment, where that is worth it. */
  async #patiently(what: string, ask: () => Promise<Answered>): Promise<Answered> {
    const began = performance.now()
    let reply = await this.#once(ask)
    for (let tries = 1; passing.includes(reply.status) && tries < mostTries; tries += 1) {
      this.toll.repeated += 1
      await pause(500)
      reply = await this.#once(ask)
    }
    if (reply.status === 401) this.toll.signedOut += 1
    if (reply.status === 0 || reply.status >= 400) {
      this.toll.failed += 1
      this.complaints.add(`${what}: ${reply.status} ${reply.text.slice(0, 200)}`)
    }
    this.toll.longestMs = Math.max(this.toll.longestMs, performance.now() - began)
    return reply
  }
}
