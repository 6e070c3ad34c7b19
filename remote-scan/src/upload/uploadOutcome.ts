import { readStoreResponse } from '@dmp/dicom'
import { explainRefusal } from './refusalTexts.ts'

/** The outcome of one file. */
export type UploadOutcome =
  | { readonly kind: 'stored' | 'duplicate'; readonly seriesUID: string }
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** It is no DICOM image at all. */ readonly isNoImage?: boolean
    }

/** Of the server's store response, in the order of the files. */
export const toUploadOutcomes = (response: string, count: number): UploadOutcome[] =>
  readStoreResponse(JSON.parse(response), count).map((outcome) => {
    if (!outcome) return { kind: 'refused', reason: "We don't know whether this file was stored. Upload it again." }
    if (outcome.kind === 'refused')
      return {
        kind: 'refused',
        reason: explainRefusal(outcome),
        ...(noImage.includes(outcome.reason) && { isNoImage: true }),
      }
    return { kind: outcome.kind, seriesUID: outcome.seriesUID }
  })

const noImage: readonly string[] = ['NOT_DICOM', 'DICOMDIR']
