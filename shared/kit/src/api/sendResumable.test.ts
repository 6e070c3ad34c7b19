import { placeSettings, signInAs } from '@dmp/kit/testing'
import { sendResumable } from './sendResumable.ts'

interface Asked {
  method: string
  path: string
  sent: Record<string, string>
  bytes: number
}

/** A tus server in one class: it keeps the bytes that arrive and can break the connection after some of them. */
class FakeTus {
  static asked: Asked[] = []
  static size = 0
  static arrived: number | undefined
  static breaksAfter: number | undefined
  static answersBusy = false
  static forgotten = 404
  /** In place of what it would answer to a method. */
  static says: Record<string, [status: number, headers: Record<string, string>]> = {}
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  readonly #asked: Asked = { method: '', path: '', sent: {}, bytes: 0 }
  #answer: Record<string, string> = {}
  status = 0
  statusText = ''
  responseText = ''
  withCredentials = false
  onload?: () => void
  onerror?: () => void
  onloadend?: () => void

  open(method: string, path: string) {
    Object.assign(this.#asked, { method, path })
  }
  setRequestHeader(name: string, value: string) {
    this.#asked.sent[name] = value
  }
  getResponseHeader(name: string): string | null {
    return this.#answer[name] ?? null
  }
  abort() {}
  send(body: Blob | null) {
    this.#asked.bytes = body?.size ?? 0
    FakeTus.asked.push(this.#asked)
    queueMicrotask(() => this.#work(body?.size ?? 0))
  }
  #work(bytes: number) {
    const { method, sent } = this.#asked
    const said = FakeTus.says[method]
    if (said) return this.#reply(...said)
    if (method === 'POST') {
      FakeTus.arrived = 0
      FakeTus.size = Number(sent['Upload-Length'])
      return this.#reply(201, { location: '/api/Scan/uploads/1' })
    }
    if (FakeTus.arrived === undefined) return this.#reply(FakeTus.forgotten, {})
    if (method === 'HEAD') return this.#reply(200, { 'upload-offset': String(FakeTus.arrived) })
    if (FakeTus.answersBusy || Number(sent['Upload-Offset']) !== FakeTus.arrived)
      return this.#reply(409, { 'content-type': 'text/plain' })
    if (FakeTus.breaksAfter !== undefined) {
      FakeTus.arrived += FakeTus.breaksAfter
      FakeTus.breaksAfter = undefined
      this.onerror?.()
      return this.onloadend?.()
    }
    this.upload.onprogress?.({ loaded: bytes })
    FakeTus.arrived += bytes
    this.responseText = '{"stored":true}'
    this.#reply(201, { 'content-type': 'application/dicom+json' })
  }
  #reply(status: number, headers: Record<string, string>) {
    this.status = status
    this.#answer = headers
    this.onload?.()
    this.onloadend?.()
  }
}

const real = globalThis.XMLHttpRequest
beforeEach(() => {
  placeSettings()
  signInAs('staff')
  Object.assign(FakeTus, { asked: [], arrived: undefined, breaksAfter: undefined, answersBusy: false, says: {} })
  globalThis.XMLHttpRequest = FakeTus as unknown as typeof XMLHttpRequest
})
afterAll(() => {
  globalThis.XMLHttpRequest = real
})

const file = new Blob(['0123456789'])
const send = (more: Partial<Parameters<typeof sendResumable>[2]> = {}) =>
  sendResumable('/Scan/uploads', file, { accept: 'application/dicom+json', onPlace: () => undefined, ...more })

describe('sendResumable', () => {
  it('begins, sends all, and answers what the server says of it [1.07]', async () => {
    const told: number[] = []
    await expect(send({ onProgress: (sent) => told.push(sent) })).resolves.toEqual({
      status: 201,
      text: '{"stored":true}',
    })
    expect(FakeTus.asked.map(({ method, bytes }) => `${method} ${bytes}`)).toEqual(['POST 0', 'PATCH 10'])
    expect(FakeTus.asked[0]?.sent).toMatchObject({ 'Upload-Length': '10', Authorization: 'Bearer an-access-token' })
    expect(told).toEqual([0, 10])
  })

  it('goes on where the line broke: what arrived is not sent again [1.07, P28]', async () => {
    let place: string | undefined
    const onPlace = (at: string) => (place = at)
    FakeTus.breaksAfter = 7
    await expect(send({ onPlace })).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' })
    FakeTus.asked = []
    await expect(send({ onPlace, place })).resolves.toMatchObject({ status: 201 })
    expect(FakeTus.asked.map(({ method, bytes }) => `${method} ${bytes}`)).toEqual(['HEAD 0', 'PATCH 3'])
    expect(FakeTus.asked[1]?.sent['Upload-Offset']).toBe('7')
  })

  it.each([404, 410])('begins anew when the server has forgotten it, and says so by %i [P28]', async (status) => {
    FakeTus.forgotten = status
    const places: string[] = []
    await send({ place: 'http://localhost/api/Scan/uploads/gone', onPlace: (at) => places.push(at) })
    expect(FakeTus.asked.map(({ method }) => method)).toEqual(['HEAD', 'POST', 'PATCH'])
    expect(places).toHaveLength(1)
  })

  it.each([
    ['does not begin', 'POST', 507, {}, 507],
    ['begins without saying where', 'POST', 201, {}, 201],
    ['does not say how much arrived, though all is well', 'HEAD', 200, {}, 200],
    ['cannot say how much arrived', 'HEAD', 500, { 'upload-offset': '3' }, 500],
    ['refuses the bytes', 'PATCH', 413, {}, 413],
  ])('sends nothing more to a server that %s', async (_what, method, status, headers, told) => {
    FakeTus.says = { [method]: [status, headers] }
    await expect(send(method === 'HEAD' ? { place: 'http://localhost/api/Scan/uploads/1' } : {})).rejects.toMatchObject(
      { name: 'CallError', status: told },
    )
    expect(FakeTus.asked.at(-1)?.method).toBe(method)
  })

  it('takes a server that still holds the broken attempt for one that passes [P28]', async () => {
    FakeTus.answersBusy = true
    await expect(send()).rejects.toMatchObject({ status: 503, code: 'UPLOAD_HELD' })
  })
})
