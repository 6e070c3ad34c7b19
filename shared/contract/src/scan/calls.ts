import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Uid, Uuid, atMost, exact, maybe, messages, required } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageQuery } from '../paging.ts'
import { Scan, ScanResult, ScanRow } from './entities.ts'
import { downloadUrl, ofOrganization, ofSeries } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

const sortable = [
  'patientName',
  'acqDate',
  'seriesDescription',
  'studyUID',
  'seriesUID',
  'source',
  'noOfImages',
  'patientID',
  'modality',
  'compatibleSaas',
  'uploadDateTime',
] as const

/**
 * 7.38, 2.58: without `organizationId`, the viewer's own organization. `query` is the specification's name for
 * `search`.
 */
export const list = endpoint({
  method: 'GET',
  path: '/Scan/list',
  summary: 'Scans of an organization, one row per series.',
  needs: may('Scan', 'List'),
  query: exact({
    ...pageQuery(sortable),
    organizationId: v.optional(Uuid),
    query: v.optional(
      v.pipe(
        v.string('The query must be text.'),
        v.maxLength(limits.searchMaxChars, () => atMost(limits.searchMaxChars)),
      ),
    ),
  }),
  answer: v.array(ScanRow, 'A list.'),
  sortable,
})

/** 7.38, 2.59: the scan detail. */
export const get = endpoint({
  method: 'GET',
  path: '/Scan/get',
  summary: 'One scan with all its tags.',
  needs: may('Scan', 'Get'),
  query: ofSeries,
  answer: Scan,
})

/** Not in the specification: what a program sent back, in the words of its first object. */
export const getResult = endpoint({
  method: 'GET',
  path: '/Scan/getResult',
  summary: 'What a report says, or what a document is, and which program made it.',
  needs: may('Scan', 'Get'),
  query: ofSeries,
  answer: v.object({
    ...ScanResult.entries,
    software: maybe(Text),
    title: maybe(Text),
    /** Whether somebody has verified a report; null where it does not say, absent where the server does not. */
    isVerified: v.optional(maybe(v.boolean('Yes or no.'))),
    /** Of the embedded document, at `…/bulkdata/00420011` of this instance by DICOMweb. */
    mimeType: maybe(Text),
    sopInstanceUID: Text,
    /** How many objects the series has; the rest is about the first. */
    objects: Numeric,
    /** A structured report as an outline. */
    lines: v.array(v.object({ depth: Numeric, name: Text, value: Text }), 'A list.'),
    /** The report is longer than that. */
    isShortened: v.boolean('Yes or no.'),
  }),
})

/** Not in the specification: the dashboard shows storage. Without `organizationId`, the viewer's own organization. */
export const getStorage = endpoint({
  method: 'GET',
  path: '/Scan/getStorage',
  summary: 'How much an organization has stored.',
  needs: may('Scan', 'List'),
  query: exact({ organizationId: v.optional(Uuid) }),
  answer: v.object({
    scans: Numeric,
    images: Numeric,
    bytes: Numeric,
    /** What it may store, with the pictures of complaints, and what those take; absent where there is no bound. */
    quotaBytes: v.optional(Numeric),
    complaintBytes: v.optional(Numeric),
    /** What the bin holds beside it; absent where that is nothing. */
    binBytes: v.optional(Numeric),
  }),
})

/** 7.38, 5.14: a one-time address of a zip. */
export const download = endpoint({
  method: 'POST',
  path: '/Scan/download/:organizationId/:seriesUID',
  summary: 'A one-time address that downloads the series as a zip.',
  needs: may('Scan', 'Download'),
  params: ofSeries,
  answer: downloadUrl,
})

/** 7.38, 5.15: the series to delete. */
const Remove = exact({
  seriesIdList: v.pipe(
    v.array(Uid, 'The series must be a list.'),
    v.minLength(1, 'Choose at least one scan.'),
    v.maxLength(limits.scansAtOnce, `Delete at most ${limits.scansAtOnce} scans at once.`),
  ),
})

/** 7.38: named `remove` because `delete` is a reserved word. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/Scan/delete/:organizationId',
  summary:
    'Delete series with their links and thumbnails: gone at once; their objects stay in the bin for some days, where there is one.',
  needs: may('Scan', 'Delete'),
  params: ofOrganization,
  body: Remove,
})

/** 5.15: the phrase that confirms a deletion. */
export const DeleteForm = exact({
  phrase: v.pipe(
    required(),
    v.literal(limits.deletePhrase, () => messages.pattern),
  ),
})

/** 7.38, 2.41: `organizationId` is the viewer's. */
export const getUploader = endpoint({
  method: 'POST',
  path: '/Scan/getUploader/:organizationId',
  summary: 'Where the uploader app can be downloaded.',
  needs: 'session',
  params: ofOrganization,
  body: exact({ platform: v.picklist(['windows', 'linux', 'macos'], 'Choose windows, linux or macos.') }),
  answer: v.object({
    url: Text,
    /** Of the file, its SHA-256 in hex; absent where the server is of before. */
    fileName: v.optional(Text),
    size: v.optional(Numeric),
    sha256: v.optional(Text),
  }),
})
