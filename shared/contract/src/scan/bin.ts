import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, exact, maybe } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageQuery } from '../paging.ts'
import { ImageInstances } from './entities.ts'
import { ofOrganization } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')
const YesOrNo = v.boolean('Yes or no.')

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
  /** Frames. */
  images: Numeric,
  imageInstances: ImageInstances,
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

/** Not in the specification. It names no patient, so that a page may ask for it again and again. */
export const listOwnDeletions = endpoint({
  method: 'GET',
  path: '/Scan/listOwnDeletions',
  summary: 'What the viewer deleted within a day and can take back, newest first, at most 20 deletions.',
  needs: may('Scan', 'Restore'),
  answer: v.array(
    // What `undoDelete` takes.
    v.object({ organizationId: Uuid, seriesIdList: v.array(Text, 'A list.'), deletedDate: Instant }),
    'A list.',
  ),
})

/** Not in the specification: what a deletion ends, to be said before it. Also what others began. */
export const listDependents = endpoint({
  method: 'POST',
  path: '/Scan/listDependents/:organizationId',
  summary: 'Share links and unfinished transfers of some scans, which end with them.',
  needs: may('Scan', 'Delete'),
  params: ofOrganization,
  body: exact({
    seriesIdList: v.pipe(
      v.array(Uid, 'The series must be a list.'),
      v.minLength(1, 'Choose at least one scan.'),
      v.maxLength(limits.scansAtOnce, `Ask for at most ${limits.scansAtOnce} scans at once.`),
    ),
  }),
  answer: v.object({
    /** Links that work, the last to end first. */
    links: v.array(
      v.object({
        id: Uuid,
        createdByUser: Text,
        recipient: maybe(Text),
        expireDate: Instant,
        /** It opens other scans as well, and goes on with those. */
        goesOn: YesOrNo,
      }),
      'A list.',
    ),
    transfers: v.array(
      v.object({
        id: Uuid,
        createdByUser: Text,
        dstOrganizationName: Text,
        /** How many of these scans have not arrived yet. */
        scans: Numeric,
      }),
      'A list.',
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
