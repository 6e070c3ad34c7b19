import { toFailure, isPassing, kindOfStatus, ViewerFailure } from '../failure.ts'
import type { JsonDataset } from '@dmp/dicom'

const root = '/dicom-web'
const answerWithinMs = 30_000
const retryAfterMs = [400, 1200]

/** Access comes from the cookie of the launch: nothing is added to the address or the headers. */
async function ask(path: string): Promise<JsonDataset[]> {
  let response: Response
  try {
    response = await fetch(root + path, {
      headers: { accept: 'application/dicom+json' },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(answerWithinMs),
    })
  } catch (cause) {
    throw new ViewerFailure('network', cause)
  }
  if (response.status === 204) return []
  if (!response.ok) throw new ViewerFailure(kindOfStatus(response.status))
  const dataSets: unknown = await response.json().catch((cause: unknown) => {
    throw new ViewerFailure('server', cause)
  })
  if (!Array.isArray(dataSets)) throw new ViewerFailure('server')
  return dataSets as JsonDataset[]
}

async function askPatiently(path: string): Promise<JsonDataset[]> {
  for (const wait of retryAfterMs) {
    try {
      return await ask(path)
    } catch (thrown) {
      if (!isPassing(toFailure(thrown).kind)) throw thrown
      await new Promise((done) => setTimeout(done, wait))
    }
  }
  return ask(path)
}

/** QIDO-RS: the series of a study. Throws a ViewerFailure. */
export const listSeries = (studyUid: string): Promise<JsonDataset[]> => askPatiently(`/studies/${studyUid}/series`)

/** WADO-RS: the headers of all instances of a series. Throws a ViewerFailure. */
export const getMetadata = (studyUid: string, seriesUid: string): Promise<JsonDataset[]> =>
  askPatiently(`/studies/${studyUid}/series/${seriesUid}/metadata`)

/** WADO-RS: the picture of one frame, counted from 1. */
export const frameUrl = (studyUid: string, seriesUid: string, instanceUid: string, frame: number): string =>
  `${root}/studies/${studyUid}/series/${seriesUid}/instances/${instanceUid}/frames/${frame}`

/** WADO-RS: a small picture of the series. */
export const thumbnailUrl = (studyUid: string, seriesUid: string): string =>
  `${root}/studies/${studyUid}/series/${seriesUid}/thumbnail`
