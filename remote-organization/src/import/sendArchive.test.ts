import { placeSettings, signInAs } from '@dmp/kit/testing'
import { sendArchive } from './sendArchive.ts'

interface Asked {
  readonly method: string
  readonly at: string | undefined
  readonly bytes: number
}

/** What a server keeps of an archive of ten bytes; it can lose the line, or say something else first. */
class FakeServer {
  static asked: Asked[] = []
  static arrived = 0
  static says: number[] = []
  /** To the question how much has arrived. */
  static saysFirst: number[] = []
  static offset: string | undefined
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  readonly #sent: Record<string, string> = {}
  #method = ''
  #offset: string | null = null
  status = 0
  statusText = ''
  responseText = ''
  withCredentials = false
  onload?: () => void
  onerror?: () => void
  onloadend?: () => void

  open(method: string) {
    this.#method = method
  }
  setRequestHeader(name: string, value: string) {
    this.#sent[name] = value
  }
  getResponseHeader(name: string): string | null {
    return name.toLowerCase() === 'upload-offset' ? this.#offset : null
  }
  abort() {}
  send(body: Blob | null) {
    FakeServer.asked.push({ method: this.#method, at: this.#sent['Upload-Offset'], bytes: body?.size ?? 0 })
    queueMicrotask(() => this.#answer(body?.size ?? 0))
  }
  #answer(bytes: number) {
    const said = (this.#method === 'PATCH' ? FakeServer.says : FakeServer.saysFirst).shift()
    if (said === 0) {
      if (this.#method === 'PATCH') FakeServer.arrived += 3
      this.onerror?.()
    } else {
      this.status = said ?? (this.#method === 'HEAD' ? 200 : 204)
      if (said === undefined) FakeServer.arrived += bytes
      this.#offset = said === undefined || said === 200 ? (FakeServer.offset ?? String(FakeServer.arrived)) : null
      this.onload?.()
    }
    this.onloadend?.()
  }
}

const real = globalThis.XMLHttpRequest
beforeEach(() => {
  placeSettings()
  signInAs('admin')
  Object.assign(FakeServer, { asked: [], arrived: 0, says: [], saysFirst: [], offset: undefined })
  globalThis.XMLHttpRequest = FakeServer as unknown as typeof XMLHttpRequest
})
afterAll(() => {
  globalThis.XMLHttpRequest = real
})

const file = new Blob(['0123456789'])
function start() {
  const told: [number, boolean][] = []
  const stopping = new AbortController()
  const onProgress = (sent: number, isWaiting: boolean) => void told.push([sent, isWaiting])
  const sent = sendArchive('an-import', file, { signal: stopping.signal, onProgress })
  return { sent, told, stopping }
}

describe('sending an archive', () => {
  it('asks what has arrived, and sends what is behind it [P75]', async () => {
    FakeServer.arrived = 4
    const { sent } = start()
    await sent
    expect(FakeServer.asked).toEqual([
      { method: 'HEAD', at: undefined, bytes: 0 },
      { method: 'PATCH', at: '4', bytes: 6 },
    ])
  })

  it('waits without a line, and while another request holds the upload, and goes on by itself [P75]', async () => {
    FakeServer.says = [0, 423]
    const { sent, told } = start()
    await sent
    expect(told).toContainEqual([0, true])
    expect(FakeServer.asked.at(-1)).toEqual({ method: 'PATCH', at: '3', bytes: 7 })
  })

  it('goes on as soon as the line is back, however long it would wait [P75]', async () => {
    const { setTimeout: real } = globalThis
    const pauses = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms = 0) => (ms >= 1000 ? 0 : real(run, ms))) as typeof setTimeout)
    FakeServer.says = [0]
    const { sent, told } = start()
    while (!told.some(([, isWaiting]) => isWaiting)) await new Promise((again) => setTimeout(again, 10))
    dispatchEvent(new Event('online'))
    await sent
    expect(FakeServer.asked.at(-1)).toEqual({ method: 'PATCH', at: '3', bytes: 7 })
    pauses.mockRestore()
  })

  it.each([
    [499, true],
    [500, false],
    [503, false],
  ])('ends with a server that says %d: %s', async (status, ends) => {
    FakeServer.says = [status]
    const { sent, told, stopping } = start()
    if (ends) await expect(sent).rejects.toMatchObject({ status })
    else await sent
    expect(told.some(([, isWaiting]) => isWaiting)).toBe(!ends)
    stopping.abort()
  })

  it('waits where there is no line at its beginning, and says that nothing has arrived [P75]', async () => {
    FakeServer.saysFirst = [0, 200]
    const { sent, told } = start()
    await sent
    expect(told[0]).toEqual([0, true])
    expect(FakeServer.asked.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'PATCH'])
  })

  it('takes no answer for one that does not say how much has arrived', async () => {
    FakeServer.offset = 'most of it'
    await expect(start().sent).rejects.toMatchObject({ name: 'CallError', status: 200 })
  })

  it('ends with what the server refuses, and with whoever stops it [P75]', async () => {
    FakeServer.says = [413]
    await expect(start().sent).rejects.toMatchObject({ status: 413 })
    FakeServer.says = [0]
    const { sent, told, stopping } = start()
    const ended = sent.catch((cause: unknown) => cause)
    while (!told.some(([, isWaiting]) => isWaiting)) await new Promise((again) => setTimeout(again, 10))
    stopping.abort()
    expect(await ended).toMatchObject({ name: 'AbortError' })
  })
})
