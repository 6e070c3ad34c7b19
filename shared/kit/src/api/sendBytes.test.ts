import { placeSettings, signInAs } from '@dmp/kit/testing'
import { sendBytes } from './sendBytes.ts'

/** Stands in for the browser's request: what was sent, and a server that answers when told to. */
class FakeRequest {
  static last: FakeRequest
  readonly sent: Record<string, string> = {}
  readonly upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {}
  path = ''
  status = 0
  statusText = ''
  responseText = ''
  isAborted = false
  withCredentials = false
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  onloadend?: () => void
  #answered: Record<string, string> = {}

  constructor() {
    FakeRequest.last = this
  }
  open(_method: string, path: string) {
    this.path = path
  }
  setRequestHeader(name: string, value: string) {
    this.sent[name] = value
  }
  getResponseHeader(name: string): string | null {
    return this.#answered[name] ?? null
  }
  send() {}
  abort() {
    this.isAborted = true
    this.onabort?.()
    this.onloadend?.()
  }
  answer(status: number, responseText: string, headers: Record<string, string>) {
    Object.assign(this, { status, responseText })
    this.#answered = headers
    this.onload?.()
    this.onloadend?.()
  }
}

const dicomJson = 'application/dicom+json'
const send = (more: Partial<Parameters<typeof sendBytes>[2]> = {}) =>
  sendBytes('/dicom-web/studies', new Blob(['x']), { contentType: 'application/dicom', accept: dicomJson, ...more })

beforeEach(() => {
  placeSettings()
  signInAs('staff')
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest
})
const real = globalThis.XMLHttpRequest
afterAll(() => {
  globalThis.XMLHttpRequest = real
})

describe('sendBytes', () => {
  it('sends the token along and answers what came back in the accepted form, whatever the status [7.01]', async () => {
    const sending = send()
    expect(FakeRequest.last.sent).toEqual({
      'Content-Type': 'application/dicom',
      Accept: dicomJson,
      Authorization: 'Bearer an-access-token',
    })
    expect(FakeRequest.last.withCredentials).toBe(true)
    FakeRequest.last.answer(409, '{"a":1}', { 'content-type': `${dicomJson}; charset=utf-8` })
    await expect(sending).resolves.toEqual({ status: 409, text: '{"a":1}' })
  })

  it('tells how much has left', () => {
    const onProgress = jest.fn()
    void send({ onProgress })
    FakeRequest.last.upload.onprogress?.({ loaded: 42 })
    expect(onProgress).toHaveBeenCalledWith(42)
    FakeRequest.last.answer(200, '{}', { 'content-type': dicomJson })
  })

  it('throws the code and message of a refusal [8.02]', async () => {
    const sending = send()
    FakeRequest.last.answer(
      409,
      JSON.stringify({ code: 'NO_DATASTORE', message: 'This organization has no datastore yet.' }),
      { 'content-type': 'application/json' },
    )
    await expect(sending).rejects.toMatchObject({
      status: 409,
      code: 'NO_DATASTORE',
      message: 'This organization has no datastore yet.',
    })
  })

  it('throws status 0 when no answer came [P28]', async () => {
    const sending = send()
    FakeRequest.last.onerror?.()
    await expect(sending).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' })
  })

  it('gives a line up that carries nothing for a minute, but not one that is slow [P28]', async () => {
    jest.useFakeTimers()
    const sending = send()
    const failure = sending.catch((error: unknown) => error)
    jest.advanceTimersByTime(50_000)
    FakeRequest.last.upload.onprogress?.({ loaded: 1 })
    jest.advanceTimersByTime(50_000)
    expect(FakeRequest.last.isAborted).toBe(false)
    jest.advanceTimersByTime(10_001)
    jest.useRealTimers()
    expect(await failure).toMatchObject({ status: 0, code: 'TIMEOUT' })
    expect(FakeRequest.last.isAborted).toBe(true)
  })

  it('leaves a server that has it all ten minutes to read it [P28]', async () => {
    jest.useFakeTimers()
    const failure = send().catch((error: unknown) => error)
    FakeRequest.last.upload.onload?.()
    jest.advanceTimersByTime(599_000)
    expect(FakeRequest.last.isAborted).toBe(false)
    jest.advanceTimersByTime(1001)
    jest.useRealTimers()
    expect(await failure).toMatchObject({ status: 0, code: 'TIMEOUT' })
  })

  it('can be stopped, before and while it sends', async () => {
    const stop = new AbortController()
    const sending = send({ signal: stop.signal })
    stop.abort()
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
    await expect(send({ signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
