import { api } from 'dicomweb-client'
import { JSDOM } from 'jsdom'

export type Row = Record<string, { vr: string; Value?: unknown[]; BulkDataURI?: string }>
export const value = (row: Row | undefined, tag: string): unknown => row?.[tag]?.Value?.[0]

type Search = (options?: object) => Promise<Row[]>
type Retrieve<T> = (options: object) => Promise<T>

/** The methods of `dicomweb-client`, whose own types demand what it leaves to its callers. */
export interface DicomwebClient {
  readonly storeInstances: Retrieve<unknown>
  readonly searchForStudies: Search
  readonly searchForSeries: Search
  readonly searchForInstances: Search
  readonly retrieveStudy: Retrieve<ArrayBuffer[]>
  readonly retrieveSeries: Retrieve<ArrayBuffer[]>
  readonly retrieveInstance: Retrieve<ArrayBuffer>
  readonly retrieveStudyMetadata: Retrieve<Row[]>
  readonly retrieveSeriesMetadata: Retrieve<Row[]>
  readonly retrieveInstanceMetadata: Retrieve<Row[]>
  readonly retrieveInstanceFrames: Retrieve<ArrayBuffer[]>
  readonly retrieveBulkData: Retrieve<ArrayBuffer[]>
  readonly retrieveInstanceRendered: Retrieve<ArrayBuffer>
  readonly retrieveInstanceThumbnail: Retrieve<ArrayBuffer>
  readonly retrieveInstanceFramesRendered: Retrieve<ArrayBuffer>
  readonly retrieveInstanceFramesThumbnail: Retrieve<ArrayBuffer>
}

/** The client is one for browsers: it finds the `XMLHttpRequest` of a page of our server. */
export function openPage(serverUrl: string): {
  createClient(headers: Record<string, string>): DicomwebClient
  close(): void
} {
  const { window } = new JSDOM('', { url: `${serverUrl}/` })
  Object.assign(globalThis, { XMLHttpRequest: window.XMLHttpRequest })
  return {
    createClient: (headers) =>
      new api.DICOMwebClient({
        url: `${serverUrl}/dicom-web`,
        headers,
        singlepart: false,
        verbose: false,
      }) as unknown as DicomwebClient,
    close() {
      Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
      window.close()
    },
  }
}
