import { tag } from '@dmp/dicom'
import type { Encoding } from '@dmp/dimse/elementWriter'
import { items, text } from './attributes.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readDataset } from './readDataset.ts'
import { writeDataset } from './writeDataset.ts'

/**
 * The data sets of storage commitment (PS3.4 annex J), of up to thousands of objects: read and written by the reading
 * threads, since one takes the better part of a second.
 */

export interface Reference {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
}

export interface Commitment {
  readonly transactionUID: string
  readonly references: readonly Reference[]
}

/** Of each object why there is no commitment to it; undefined where there is. */
export type Judged = Reference & { readonly reason: number | undefined }

/** Throws `DicomRefusal`. */
export async function readCommitment(bytes: Uint8Array, transferSyntaxUID: string): Promise<Commitment> {
  const identifier = await readDataset(bytes, transferSyntaxUID)
  return {
    transactionUID: text(identifier, tag.TransactionUID) ?? '',
    references: items(identifier, tag.ReferencedSOPSequence).map((item) => ({
      sopClassUID: text(item, tag.ReferencedSOPClassUID) ?? '',
      sopInstanceUID: text(item, tag.ReferencedSOPInstanceUID) ?? '',
    })),
  }
}

export function writeReport(transactionUID: string, judged: readonly Judged[], encoding: Encoding): Uint8Array {
  const kept = judged.filter(({ reason }) => reason === undefined).map(toItem)
  const failed = judged.flatMap((each) =>
    each.reason === undefined ? [] : [{ ...toItem(each), [tag.FailureReason]: { vr: 'US', Value: [each.reason] } }],
  )
  const report = {
    [tag.TransactionUID]: { vr: 'UI', Value: [transactionUID] },
    ...(kept.length > 0 && { [tag.ReferencedSOPSequence]: { vr: 'SQ', Value: kept } }),
    ...(failed.length > 0 && { [tag.FailedSOPSequence]: { vr: 'SQ', Value: failed } }),
  }
  return writeDataset(report, encoding)
}

const toItem = ({ sopClassUID, sopInstanceUID }: Reference): JsonDataset => ({
  [tag.ReferencedSOPClassUID]: { vr: 'UI', Value: [sopClassUID] },
  [tag.ReferencedSOPInstanceUID]: { vr: 'UI', Value: [sopInstanceUID] },
})
