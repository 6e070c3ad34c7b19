import { placeSettings, signInAs } from '@dmp/kit/testing'
import { storeResumable, type ResumableOptions } from './storeResumable.ts'

const storedResponse = {
  '00081199': { Value: [{ '00081190': { Value: ['/dicom-web/studies/1/series/1.2/instances/1.2.3'] } }] },
}
const refusedResponse = {
  '0008119A': { Value: [{ '00000902': { Value: ['This is not a DICOM file.'] }, '00091002': { Value: [1] } }] },
}

interface Asked {
  method: string
  path: string
  sent: Record<string, string>
  bytes: number
}

/** A tus server in one class: it keeps what arrives and can lose the connection after so many bytes. */
class FakeTus {
  static asked: Asked[] = []
  static size = 10
  static response: object = {}
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
    return this.#answer[name.toLowerCase()] ?? null
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
    if (method === 'HEAD')
      return this.#reply(200, { 'upload-offset': String(FakeTus.arrived), 'upload-length': String(FakeTus.size) })
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
    this.responseText = JSON.stringify(FakeTus.response)
    const isRefused = '0008119A' in FakeTus.response
    this.#reply(isRefused ? 409 : 201, {
      'content-type': 'application/dicom+json',
      'upload-offset': String(FakeTus.arrived),
    })
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
  FakeTus.response = storedResponse
  globalThis.XMLHttpRequest = FakeTus as unknown as typeof XMLHttpRequest
})
afterAll(() => {
  globalThis.XMLHttpRequest = real
})

const file = new Blob(['0123456789'])
const stored = [{ kind: 'stored', seriesUID: '1.2' }]
const earlierUrl = 'http://localhost/api/Scan/uploads/1'
const send = (more: Partial<ResumableOptions> = {}) =>
  storeResumable('north', file, {
    uploadUrl: undefined,
    onUploadUrl: () => undefined,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...more,
  })
const requests = () => FakeTus.asked.map(({ method, bytes }) => `${method} ${bytes}`)

describe('storeResumable', () => {
  it('begins, sends everything, and returns the outcome of the server [1.07]', async () => {
    const progress = new Set<number>()
    await expect(send({ onProgress: (sent) => progress.add(sent) })).resolves.toEqual(stored)
    expect(requests()).toEqual(['POST 0', 'PATCH 10'])
    expect(FakeTus.asked[0]?.path).toMatch(/\/Scan\/uploads\?organizationId=north$/)
    expect(FakeTus.asked[0]?.sent).toMatchObject({ 'Upload-Length': '10', Authorization: 'Bearer an-access-token' })
    expect([...progress]).toEqual([0, 10])
  })

  it('continues where the connection was lost: what arrived is not sent again [1.07, P28]', async () => {
    let uploadUrl: string | undefined
    const onUploadUrl = (url: string) => (uploadUrl = url)
    FakeTus.breaksAfter = 7
    await expect(send({ onUploadUrl })).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' })
    expect(uploadUrl).toBe(earlierUrl)
    FakeTus.asked = []
    await expect(send({ onUploadUrl, uploadUrl })).resolves.toEqual(stored)
    expect(requests()).toEqual(['HEAD 0', 'PATCH 3'])
    expect(FakeTus.asked[1]?.sent['Upload-Offset']).toBe('7')
  })

  it('asks for the outcome of a file that had arrived whole when the answer got lost [P28]', async () => {
    FakeTus.arrived = 10
    await expect(send({ uploadUrl: earlierUrl })).resolves.toEqual(stored)
    expect(requests()).toEqual(['HEAD 0', 'PATCH 0'])
    expect(FakeTus.asked[1]?.sent).toMatchObject({ 'Upload-Offset': '10', Authorization: 'Bearer an-access-token' })
  })

  it('asks again where a whole file’s answer is none of a store', async () => {
    FakeTus.arrived = 10
    FakeTus.says = { PATCH: [200, { 'content-type': 'text/html' }] }
    await expect(send({ uploadUrl: earlierUrl })).rejects.toMatchObject({ name: 'CallError', status: 200 })
  })

  it('returns the outcome of a refused file: the upload itself did not fail [1.07]', async () => {
    FakeTus.response = refusedResponse
    await expect(send()).resolves.toEqual([{ kind: 'refused', reason: 'This is not a DICOM file.' }])
  })

  it.each([404, 410])('begins anew when the server has forgotten it, and says so by %i [P28]', async (status) => {
    FakeTus.forgotten = status
    const urls: string[] = []
    await send({ uploadUrl: 'http://localhost/api/Scan/uploads/gone', onUploadUrl: (url) => urls.push(url) })
    expect(FakeTus.asked.map(({ method }) => method)).toEqual(['HEAD', 'POST', 'PATCH'])
    expect(urls).toEqual([earlierUrl])
  })

  it.each([
    ['does not begin', 'POST', 507, {}, 507],
    ['begins without saying where', 'POST', 201, {}, 201],
    ['does not say how much arrived, though all is well', 'HEAD', 200, {}, 200],
    ['cannot say how much arrived', 'HEAD', 500, { 'upload-offset': '3' }, 500],
    ['refuses the bytes', 'PATCH', 413, {}, 413],
  ])('sends nothing more to a server that %s', async (_what, method, status, headers, told) => {
    FakeTus.says = { [method]: [status, headers] }
    await expect(send(method === 'HEAD' ? { uploadUrl: earlierUrl } : {})).rejects.toMatchObject({
      name: 'CallError',
      status: told,
    })
    expect(FakeTus.asked.at(-1)?.method).toBe(method)
  })

  it('takes a server that still holds the broken attempt for one that passes [P28]', async () => {
    FakeTus.answersBusy = true
    await expect(send()).rejects.toMatchObject({ status: 503, code: 'UPLOAD_HELD' })
  })

  it('stops when it is told to, before it begins or in the middle', async () => {
    await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests()).toEqual([])
    const stop = new AbortController()
    await expect(send({ signal: stop.signal, onUploadUrl: () => stop.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('uploads')
  })
})
