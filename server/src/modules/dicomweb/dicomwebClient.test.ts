import { createRequire } from 'node:module'
import { server, staff, xa, startWithSamples } from './dicomwebInTests.ts'

/** The client of the OHIF project, as npm has it; it runs in browsers and wants their way of asking. */
interface Client {
  searchForStudies(options?: object): Promise<Record<string, { Value?: unknown[] }>[]>
  searchForSeries(options?: object): Promise<Record<string, { Value?: unknown[] }>[]>
  searchForInstances(options?: object): Promise<Record<string, { Value?: unknown[] }>[]>
  retrieveStudyMetadata(options: object): Promise<Record<string, { BulkDataURI?: string }>[]>
  retrieveInstance(options: object): Promise<ArrayBuffer>
  retrieveSeries(options: object): Promise<ArrayBuffer[]>
  retrieveInstanceFrames(options: object): Promise<ArrayBuffer[]>
  retrieveInstanceRendered(options: object): Promise<ArrayBuffer>
  retrieveBulkData(options: object): Promise<ArrayBuffer[]>
  storeInstances(options: object): Promise<unknown>
}
const { api } = createRequire(import.meta.url)('dicomweb-client') as {
  api: { DICOMwebClient: new (options: object) => Client }
}

/** As much of XMLHttpRequest as the client uses. */
class FetchRequest {
  responseType = ''
  response: unknown
  readyState = 0
  status = 0
  statusText = ''
  onreadystatechange: () => void = () => undefined
  onloadstart: (event: object) => void = () => undefined
  onloadend: (event: object) => void = () => undefined
  onprogress: (event: object) => void = () => undefined
  readonly upload = {}
  #method = 'GET'
  #url = ''
  #headers = new Headers()
  #answered = new Headers()

  open(method: string, url: string): void {
    ;[this.#method, this.#url] = [method.toUpperCase(), url]
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value)
  }

  getResponseHeader(name: string): string | null {
    return this.#answered.get(name)
  }

  send(body?: ArrayBuffer): void {
    void this.#ask(body)
  }

  async #ask(body?: ArrayBuffer): Promise<void> {
    const answer = await fetch(this.#url, { method: this.#method, headers: this.#headers, ...(body && { body }) })
    this.#answered = answer.headers
    const bytes = await answer.arrayBuffer()
    const text = this.responseType === 'json' ? Buffer.from(bytes).toString() : ''
    this.response = this.responseType === 'json' ? (text && JSON.parse(text)) || undefined : bytes
    ;[this.status, this.statusText, this.readyState] = [answer.status, answer.statusText, 4]
    this.onreadystatechange()
    this.onloadend({})
  }
}

let client: Client
let url: string
beforeAll(async () => {
  await startWithSamples()
  url = `${await server.listen()}/dicom-web`
  Object.assign(globalThis, { XMLHttpRequest: FetchRequest })
  client = new api.DICOMwebClient({ url, headers: { Authorization: staff.headers.authorization } })
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
  await server.close()
})

const ids = { studyInstanceUID: xa.study, seriesInstanceUID: xa.series }
const findInstance = async () => {
  const [instance] = await client.searchForInstances(ids)
  return { ...ids, sopInstanceUID: String(instance?.['00080018']?.Value?.[0]) }
}

describe('dicomweb-client', () => {
  it('searches at every level', async () => {
    expect(await client.searchForStudies({ queryParams: { StudyInstanceUID: xa.study } })).toHaveLength(1)
    expect(await client.searchForSeries({ studyInstanceUID: xa.study })).toHaveLength(1)
    expect(await client.searchForInstances(ids)).toHaveLength(1)
  })

  it('retrieves objects, frames, a picture and bulk data of compressed pixels', async () => {
    const instance = await findInstance()
    expect((await client.retrieveInstance(instance)).byteLength).toBeGreaterThan(10_000)
    expect(await client.retrieveSeries(ids)).toHaveLength(1)
    const [frame] = await client.retrieveInstanceFrames({ ...instance, frameNumbers: [1] })
    expect(frame?.byteLength).toBeGreaterThan(1000)
    const picture = await client.retrieveInstanceRendered({
      ...instance,
      mediaTypes: [{ mediaType: 'image/png' }],
      queryParams: { window: '128,256,linear' },
    })
    expect(Buffer.from(picture).subarray(1, 4).toString()).toBe('PNG')
    const [metadata] = await client.retrieveStudyMetadata({ studyInstanceUID: xa.study })
    const address = metadata?.['7FE00010']?.BulkDataURI ?? ''
    const [value] = await client.retrieveBulkData({ BulkDataURI: new URL(address, url).href })
    // 96 frames of 512 × 512 samples.
    expect(value?.byteLength).toBe(96 * 512 * 512)
  })

  it('stores what it has retrieved', async () => {
    const object = await client.retrieveInstance(await findInstance())
    await expect(client.storeInstances({ datasets: [object] })).resolves.toBeDefined()
  })
})

/** What @ohif/extension-default's data source asks for, with the headers that its image loader sends. */
describe('the requests of OHIF', () => {
  const ask = (path: string, accept: string) =>
    server.app.inject({ url: `/dicom-web${path}`, headers: { ...staff.headers, accept } })

  it('are answered, from the list of studies to the frames', async () => {
    const { sopInstanceUID } = await findInstance()
    const series = `/studies/${xa.study}/series/${xa.series}`
    for (const [path, accept] of [
      ['/studies?limit=101&offset=0&fuzzymatching=true&includefield=00081030%2C00080060', 'application/dicom+json'],
      [
        '/studies?PatientName=*rubo*&00100020=*1*&StudyDescription=*a*&ModalitiesInStudy=XA&StudyDate=19950101-20251231&limit=101&offset=0&fuzzymatching=false&includefield=00081030%2C00080060%2C00080090%2C00200010%2C00201206%2C00201208%2C00080061',
        'application/dicom+json',
      ],
      [`/studies/${xa.study}/series?includefield=0008103E%2C00200011`, 'application/dicom+json'],
      [`${series}/metadata`, 'application/dicom+json'],
      [
        `${series}/instances/${sopInstanceUID}/frames/1`,
        'multipart/related; type=application/octet-stream; transfer-syntax=*',
      ],
      [
        `${series}/instances/${sopInstanceUID}/frames/1`,
        'multipart/related; type="image/jpeg"; transfer-syntax=1.2.840.10008.1.2.4.50',
      ],
      [`${series}/thumbnail`, 'image/jpeg'],
      [`${series}/instances/${sopInstanceUID}/rendered`, 'image/jpeg'],
      [`${series}/instances/${sopInstanceUID}/bulkdata/7FE00010`, 'multipart/related; type=application/octet-stream'],
    ] as const) {
      const reply = await ask(path, accept)
      expect([path, reply.statusCode, reply.rawPayload.length > 2]).toEqual([path, 200, true])
    }
  })
})
