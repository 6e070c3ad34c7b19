import { randomBytes } from 'node:crypto'
import { dicomFile, slice, text, u16 } from '../../server/src/dicom/testing/dicomFile.ts'
import { stowBody } from '../../server/src/testing/stow.ts'
import { Agent, request } from 'node:http'

/** What another customer does meanwhile: one call after the other of each kind, with a pause between two. */
export const neighbourCalls = ['list', 'detail', 'picture', 'upload', 'sign-in'] as const
export type NeighbourCall = (typeof neighbourCalls)[number]
const pauseMs: Readonly<Record<NeighbourCall, number>> = {
  // Together below what one person may call in a minute.
  list: 100,
  detail: 100,
  picture: 100,
  upload: 100,
  'sign-in': 700,
}
/** A call that takes longer than this, or is refused, counts as having taken this long. */
const longestMs = 60_000

export type Times = Readonly<Record<NeighbourCall, readonly number[]>>

interface Reply {
  readonly status: number
  readonly body: string
}

const side = 256
const newUid = (): string => `2.25.${BigInt(`0x${randomBytes(12).toString('hex')}`)}`
const smallObject = (uid: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${uid}.3`),
      '0020000D': text('UI', `${uid}.1`),
      '0020000E': text('UI', `${uid}.2`),
      '00280010': u16(side),
      '00280011': u16(side),
      '7FE00010': { vr: 'OW', value: randomBytes(2 * side * side) },
    }),
  })

export class Neighbour {
  readonly #url: string
  readonly #emails: readonly string[]
  readonly #clock: () => number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #uid = newUid()
  #token = ''
  #organizationId = ''
  #count = 0

  /**
   * `emails`: whose calls they are, and who else signs in meanwhile, so that nobody does oftener than a person may.
   * `clock`: what times are measured by, in ms.
   */
  constructor(url: string, emails: readonly string[], clock: () => number) {
    this.#url = url
    this.#emails = emails
    this.#clock = clock
  }

  async begin(): Promise<void> {
    const { data } = JSON.parse((await this.#signIn(this.#emails[0])).body) as { data: { accessToken: string } }
    this.#token = data.accessToken
    const profile = JSON.parse((await this.#send('GET', '/api/account/profile')).body) as {
      data: { organizationId: string }
    }
    this.#organizationId = profile.data.organizationId
    await this.#upload(this.#uid)
  }

  /** The times of all calls within so many seconds. */
  async measure(seconds: number): Promise<Times> {
    const times: Record<NeighbourCall, number[]> = { list: [], detail: [], picture: [], upload: [], 'sign-in': [] }
    const until = performance.now() + seconds * 1000
    await Promise.all(
      neighbourCalls.map(async (kind) => {
        while (performance.now() < until) {
          const began = this.#clock()
          const { status, body } = await this.#call(kind)
          if (status !== 200) process.stderr.write(`${kind}: ${status} ${body.slice(0, 200)}\n`)
          times[kind].push(status === 200 ? this.#clock() - began : longestMs)
          await new Promise((next) => setTimeout(next, pauseMs[kind]))
        }
      }),
    )
    return times
  }

  end(): void {
    this.#agent.destroy()
  }

  #call(kind: NeighbourCall): Promise<Reply> {
    this.#count += 1
    if (kind === 'list') return this.#send('GET', '/api/Scan/list?page=1&pageSize=10')
    if (kind === 'detail')
      return this.#send('GET', `/api/Scan/get?organizationId=${this.#organizationId}&seriesUID=${this.#uid}.2`)
    if (kind === 'upload') return this.#upload(newUid())
    if (kind === 'sign-in') return this.#signIn(this.#emails[this.#count % this.#emails.length])
    const path = `/dicom-web/studies/${this.#uid}.1/series/${this.#uid}.2/instances/${this.#uid}.3`
    // A size that was not asked for before, so that it is drawn.
    return this.#send('GET', `${path}/rendered?viewport=${100 + (this.#count % 1900)},2000`)
  }

  #signIn(email?: string): Promise<Reply> {
    const body = JSON.stringify({ ClientId: 'dmp-web', email, password: 'DemoPassw0rd!' })
    return this.#send('POST', '/api/account/login', { 'content-type': 'application/json' }, Buffer.from(body))
  }

  #upload(uid: string): Promise<Reply> {
    const { payload, headers } = stowBody([smallObject(uid)])
    return this.#send('POST', '/dicom-web/studies', headers, payload)
  }

  #send(method: string, path: string, headers: Record<string, string> = {}, payload?: Buffer): Promise<Reply> {
    return new Promise((resolve) => {
      const own = { 'x-forwarded-for': `198.51.100.${this.#count % 200}` }
      const authorization = this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }
      const sent = request(
        new URL(path, this.#url),
        { method, agent: this.#agent, timeout: longestMs, headers: { ...own, ...authorization, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('close', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
          )
        },
      )
      sent.on('timeout', () => sent.destroy())
      sent.on('error', (error) => resolve({ status: 0, body: error.message }))
      sent.end(payload)
    })
  }
}

export function toQuantiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
