import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, exact, maybe } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageQuery } from '../paging.ts'
import { ofOrganization } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** A series that was deleted, or one image of it, and can be taken back. */
export const BinEntry = v.object({
  id: Uuid,
  organizationId: Uuid,
  studyUID: Text,
  seriesUID: Text,
  /** Where one image of a series was deleted and the rest stayed. */
  sopInstanceUID: maybe(Text),
  patientName: Text,
  patientID: Text,
  studyDescription: Text,
  seriesDescription: Text,
  modality: Text,
  images: Numeric,
  bytes: Numeric,
  deletedDate: Instant,
  deletedByUser: Text,
  /** When its bytes go; null while its study is held. */
  purgeDate: maybe(Instant),
  /** Who holds its study, and why. */
  hold: maybe(v.object({ id: Uuid, reason: Text, heldByUser: Text, heldDate: Instant })),
})
export type BinEntry = v.InferOutput<typeof BinEntry>

const sortable = ['deletedDate', 'patientName', 'seriesDescription', 'images', 'bytes', 'deletedByUser'] as const

const Ids = exact({
  ids: v.pipe(
    v.array(Uuid, 'The ids must be a list.'),
    v.minLength(1, 'Choose at least one row.'),
    v.maxLength(limits.scansAtOnce, `Choose at most ${limits.scansAtOnce} rows at once.`),
  ),
})

/** Not in the specification: what was deleted and can be taken back, newest first. */
export const listBin = endpoint({
  method: 'GET',
  path: '/Scan/listBin',
  summary: 'Deleted series that can be taken back, with who deleted them and when their bytes go.',
  needs: may('Scan', 'ListBin'),
  query: exact({ ...pageQuery(sortable), organizationId: v.optional(Uuid) }),
  answer: v.array(BinEntry, 'A list.'),
  sortable,
})

/** Not in the specification. What arrived again meanwhile stays, and is joined; what contradicts it is refused. */
export const restore = endpoint({
  method: 'PUT',
  path: '/Scan/restore/:organizationId',
  summary: 'Take deleted series back from the bin: all of them, or none.',
  needs: may('Scan', 'Restore'),
  params: ofOrganization,
  body: Ids,
})

/** Not in the specification: the way back right after a deletion, by what was deleted. */
export const undoDelete = endpoint({
  method: 'PUT',
  path: '/Scan/undoDelete/:organizationId',
  summary: 'Take back the newest deletion of each series, if it was the viewer’s own.',
  needs: may('Scan', 'Restore'),
  params: ofOrganization,
  body: exact({
    seriesIdList: v.pipe(
      v.array(Uid, 'The series must be a list.'),
      v.minLength(1, 'Choose at least one scan.'),
      v.maxLength(limits.scansAtOnce, `Take back at most ${limits.scansAtOnce} scans at once.`),
    ),
  }),
})

/** Not in the specification: with the answer the bytes are gone, and the audit trail holds how many and their hash. */
export const purge = endpoint({
  method: 'DELETE',
  path: '/Scan/purge/:organizationId',
  summary: 'Delete series of the bin for good, now.',
  needs: may('Scan', 'Delete'),
  params: ofOrganization,
  body: Ids,
})
