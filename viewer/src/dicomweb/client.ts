import { toFailure, isPassing, kindOfStatus, ViewerFailure, type FailureKind } from '../failure.ts'
import type { JsonDataset } from '@dmp/dicom'
import type { Priors } from '../study/priors.ts'

let root = '/dicom-web'
let isShared = false
const answerWithinMs = 30_000
const retryAfterMs = [400, 1200]

/** From now on reads what one share link opens, below the root of that link. */
export function readShare(shareId: string): void {
  root = `/dicom-web/shared/${shareId}`
  isShared = true
}

/** Whatever is missing there ended with the link. */
const toKind = (status: number): FailureKind =>
  isShared && [401, 403, 404].includes(status) ? 'link-ended' : kindOfStatus(status)

/** Access comes from the cookie of the launch or of the visit: nothing is added to the address or the headers. */
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
  if (!response.ok) throw new ViewerFailure(toKind(response.status))
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

/** QIDO-RS: what is said of some studies, whose they are among it. Throws a ViewerFailure. */
export const listStudies = (studyUids: readonly string[]): Promise<JsonDataset[]> =>
  askPatiently(`/studies?StudyInstanceUID=${studyUids.join(',')}`)

/** The other studies of the patient of a study, the newest first; none for somebody who may not list scans. */
export async function listPriors(studyUid: string): Promise<Priors> {
  if (isShared) return { data: [] }
  const response = await fetch(`/launch/priors/${studyUid}`, {
    credentials: 'same-origin',
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((cause: unknown) => {
    throw new ViewerFailure('network', cause)
  })
  if ([401, 403, 404].includes(response.status)) return { data: [] }
  if (!response.ok) throw new ViewerFailure(kindOfStatus(response.status))
  return (await response.json()) as Priors
}

/** QIDO-RS: every series that the share link opens. Throws a ViewerFailure. */
export const listSharedSeries = (): Promise<JsonDataset[]> => askPatiently('/series')

const [askAgainMs, askAgainAfterFailureMs] = [1000, 5000]

/** Resolves when the share link has ended: the server answers as soon as something about it changes. */
export async function waitForEndOfShare(): Promise<void> {
  for (;;) {
    const began = Date.now()
    const response = await fetch(`${root}/watch`, { credentials: 'same-origin' }).catch(() => undefined)
    if (response?.status === 404) return
    const pause = response?.ok ? askAgainMs - (Date.now() - began) : askAgainAfterFailureMs
    if (pause > 0) await new Promise((done) => setTimeout(done, pause))
  }
}

/** WADO-RS: the headers of all instances of a series. Throws a ViewerFailure. */
export const getMetadata = (studyUid: string, seriesUid: string): Promise<JsonDataset[]> =>
  askPatiently(`/studies/${studyUid}/series/${seriesUid}/metadata`)

/** WADO-RS: the picture of one frame, counted from 1. */
export const frameUrl = (studyUid: string, seriesUid: string, instanceUid: string, frame: number): string =>
  `${root}/studies/${studyUid}/series/${seriesUid}/instances/${instanceUid}/frames/${frame}`

/** WADO-RS: the frame as the server draws it, within so many pixels. */
export const renderedUrl = (imageId: string, width: number, height: number): string =>
  `${imageId.replace('wadors:', '')}/rendered?viewport=${width},${height}`

/** WADO-RS: a small picture of the series. */
export const thumbnailUrl = (studyUid: string, seriesUid: string): string =>
  `${root}/studies/${studyUid}/series/${seriesUid}/thumbnail`
