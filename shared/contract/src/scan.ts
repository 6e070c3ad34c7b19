import * as v from 'valibot'
import { endpoint, may, pageQuery } from './endpoint.ts'
import { Instant, Uid, Uuid, atMost, maybe, organizationName, required, exact } from './fields.ts'
import { limits } from './limits.ts'
import { SaasName } from './organization.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')
/** dataStoreID and imageSetID have the shape that viewers of this family expect. */
export const StoreId = v.pipe(
  v.string('This id is missing.'),
  v.regex(/^[0-9a-z]{32}$/, 'This is not a datastore or image set id.'),
)

/** 3.12. A row is one series. `acqDate` is a DICOM date as YYYY-MM-DD; `noOfImages` null when it is not known. */
export const ScanRow = v.object({
  studyUID: Text,
  seriesUID: Text,
  dataStoreID: Text,
  /** Null while the image set is being built; such rows are dropped by the list (2.58). */
  imageSetID: maybe(Text),
  patientName: Text,
  seriesDescription: Text,
  source: Text,
  acqDate: maybe(Text),
  noOfImages: maybe(Numeric),
  compatibleSaas: v.array(SaasName, 'A list.'),
  /** Not in 3.12: shown in the column chooser and searched by. */
  patientID: Text,
  modality: Text,
})
export type ScanRow = v.InferOutput<typeof ScanRow>

/**
 * 3.13. Text as people read it; lengths in mm, weight in kg, height in m, BMI in kg/m², dates YYYY-MM-DD, times
 * HH:MM:SS.
 */
export const Scan = v.object({
  organizationId: Uuid,
  basic: v.object({
    institutionName: maybe(Text),
    bodyPartExamined: maybe(Text),
    totalSliceCount: maybe(Numeric),
    sliceThickness: maybe(Numeric),
    acquisitionDate: maybe(Text),
    acquisitionTime: maybe(Text),
    studyDescription: maybe(Text),
    seriesDescription: maybe(Text),
    compatibleSaas: v.array(SaasName, 'A list.'),
  }),
  patient: v.object({
    ID: maybe(Text),
    name: maybe(Text),
    birthDate: maybe(Text),
    age: maybe(Text),
    sex: maybe(Text),
    ethnicity: maybe(Text),
    weight: maybe(Numeric),
    height: maybe(Numeric),
    BMI: maybe(Numeric),
    referringPhysician: maybe(Text),
    requestingPhysician: maybe(Text),
    accessionNumber: maybe(Text),
  }),
  advanced: v.object({
    studyUID: Text,
    seriesUID: Text,
    seriesDate: maybe(Text),
    seriesTime: maybe(Text),
    studyDate: maybe(Text),
    pixelSpacing: maybe(Text),
    columns: maybe(Numeric),
    rows: maybe(Numeric),
    laterality: maybe(Text),
    deviceSerialNumber: maybe(Text),
    manufacturer: maybe(Text),
    manufacturerModelName: maybe(Text),
    uploadDateTime: Instant,
    modality: maybe(Text),
    /** Held but not shown (3.13). */
    dataStoreID: Text,
    imageSetID: maybe(Text),
  }),
  tags: v.array(v.object({ key: Text, value: Text }), 'A list.'),
})
export type Scan = v.InferOutput<typeof Scan>

/** A share link as its owner sees it; the link itself is shown once, at creation. */
export const ShareLink = v.object({
  id: Uuid,
  createdByUser: Text,
  createdDate: Instant,
  expireDate: Instant,
  hasPassword: v.boolean('Yes or no.'),
  maxUses: maybe(Numeric),
  uses: Numeric,
  lastUsedDate: maybe(Instant),
  revokedDate: maybe(Instant),
})
export type ShareLink = v.InferOutput<typeof ShareLink>

/** 3.14: one screen of the specification names the field expireInDay, another expireInDays; the wire has the first. */
const shareEntries = {
  expireInDay: v.pipe(
    v.number('Choose for how many days.'),
    v.integer('Choose whole days.'),
    v.minValue(limits.shareMinDays, 'A link lasts at least 1 day.'),
    v.maxValue(limits.shareMaxDays, 'A link lasts at most 7 days.'),
  ),
  password: v.optional(
    v.nullable(
      v.pipe(
        v.string('Text.'),
        v.minLength(4, 'Please use at least 4 characters.'),
        v.maxLength(limits.passwordMaxChars, atMost(limits.passwordMaxChars)),
      ),
    ),
    null,
  ),
  maxUses: v.optional(
    v.nullable(
      v.pipe(
        v.number('Give a number.'),
        v.integer('Give a whole number.'),
        v.minValue(1, 'At least one use.'),
        v.maxValue(1000, 'At most 1000 uses.'),
      ),
    ),
    null,
  ),
}

/** 3.14, 5.12: the form of the batch transfer. */
export const TransferForm = exact({
  dstOrganizationName: organizationName('Please enter an organization name.'),
  anonymize: v.boolean('Say true or false.'),
})
export type TransferForm = v.InferOutput<typeof TransferForm>

export const transferStates = ['Queued', 'Running', 'Done', 'Failed'] as const
/**
 * What became of one scan of a transfer; `description` of the series as it was, `message` says why it failed or what to
 * look at.
 */
export const TransferResult = v.object({
  seriesUID: Text,
  description: Text,
  newSeriesUID: maybe(Text),
  state: v.picklist(transferStates, 'A state.'),
  message: maybe(Text),
  images: Numeric,
  imagesDone: Numeric,
})
/** A batch transfer, a job in the background. */
export const Transfer = v.object({
  id: Uuid,
  createdDate: Instant,
  finishedDate: maybe(Instant),
  state: v.picklist(transferStates, 'A state.'),
  dstOrganizationName: Text,
  anonymize: v.boolean('Yes or no.'),
  scans: v.array(TransferResult, 'A list.'),
})
export type Transfer = v.InferOutput<typeof Transfer>

/** 3.14 */
export const TransferRegion = v.object({ id: Uuid, name: Text, transferEndpoint: Text })
export type TransferRegion = v.InferOutput<typeof TransferRegion>

/**
 * A search of the scan list that a user keeps by a name of their own; `sortColumn` and `sortDirection` as the list's
 * address has them.
 */
export const ScanFilter = v.object({ id: Uuid, name: Text, search: Text, sortColumn: Text, sortDirection: Text })
export type ScanFilter = v.InferOutput<typeof ScanFilter>

/** The form that names a filter. */
export const FilterName = exact({
  name: v.pipe(
    required('Please enter a name.'),
    v.trim(),
    v.nonEmpty('Please enter a name.'),
    v.maxLength(limits.filterNameMaxChars, atMost(limits.filterNameMaxChars)),
  ),
})
export type FilterName = v.InferOutput<typeof FilterName>

const ofOrganization = exact({ organizationId: Uuid })
const ofSeries = exact({ organizationId: Uuid, seriesUID: Uid })
const byId = exact({ id: Uuid })
const downloadUrl = v.object({ downloadUrl: Text })
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
] as const

/**
 * 7.38, 2.58. Without `organizationId`: the viewer's own organization. `query` is the specification's name of `search`.
 */
export const list = endpoint({
  method: 'GET',
  path: '/Scan/list',
  summary: 'Scans of an organization, one row per series.',
  needs: may('Scan', 'List'),
  query: exact({
    ...pageQuery(sortable),
    organizationId: v.optional(Uuid),
    query: v.optional(v.pipe(v.string('Give query as text.'), v.maxLength(255, atMost(255)))),
  }),
  answer: v.array(ScanRow, 'A list.'),
  sortable,
})
/** 7.38, 2.59 */
export const get = endpoint({
  method: 'GET',
  path: '/Scan/get',
  summary: 'One scan with all its tags.',
  needs: may('Scan', 'Get'),
  query: ofSeries,
  answer: Scan,
})
/**
 * Not in the specification (the dashboard says what is stored). Without `organizationId`: the viewer's own
 * organization.
 */
export const getStorage = endpoint({
  method: 'GET',
  path: '/Scan/getStorage',
  summary: 'How much an organization has stored.',
  needs: may('Scan', 'List'),
  query: exact({ organizationId: v.optional(Uuid) }),
  answer: v.object({ scans: Numeric, images: Numeric, bytes: Numeric }),
})
/** Not in the specification: the viewer's own filters, by name. */
export const listFilters = endpoint({
  method: 'GET',
  path: '/Scan/listFilters',
  summary: 'Searches of the scan list that the viewer keeps.',
  needs: may('Scan', 'List'),
  answer: v.array(ScanFilter, 'A list.'),
})
/** Not in the specification. A name that the viewer has already answers 409. */
export const addFilter = endpoint({
  method: 'POST',
  path: '/Scan/addFilter',
  summary: 'Keep a search of the scan list by a name.',
  needs: may('Scan', 'List'),
  body: exact({
    ...FilterName.entries,
    search: v.pipe(v.string('Give search as text.'), v.maxLength(255, atMost(255))),
    sortColumn: v.pipe(
      v.string('Give sortColumn as text.'),
      v.regex(/^\d{0,3}$/, 'This is not the number of a column.'),
    ),
    sortDirection: v.picklist(['asc', 'desc', ''], 'asc, desc or nothing.'),
  }),
  answer: ScanFilter,
})
/** Not in the specification. */
export const renameFilter = endpoint({
  method: 'PUT',
  path: '/Scan/renameFilter/:id',
  summary: 'Give a kept search another name.',
  needs: may('Scan', 'List'),
  params: byId,
  body: FilterName,
  answer: ScanFilter,
})
/** Not in the specification. */
export const removeFilter = endpoint({
  method: 'DELETE',
  path: '/Scan/removeFilter/:id',
  summary: 'Forget a kept search.',
  needs: may('Scan', 'List'),
  params: byId,
})
/** 7.38, 3.14: `organizationId` is where the scans are now. Runs in the background. */
export const transfer = endpoint({
  method: 'POST',
  path: '/Scan/transfer/:organizationId',
  summary: 'Copy scans to another organization in the background, de-identified when anonymize is on.',
  needs: may('Scan', 'Transfer'),
  params: ofOrganization,
  body: exact({
    ...TransferForm.entries,
    scans: v.pipe(
      v.array(exact({ studyUID: Uid, seriesUID: Uid }), 'Give the scans as a list.'),
      v.minLength(1, 'Choose at least one scan.'),
      v.maxLength(500, 'Transfer at most 500 scans at once.'),
    ),
  }),
  answer: Transfer,
})
/**
 * Not in the specification: the second step of a transfer shows the name that was found. Wrong and deactivated answer
 * alike.
 */
export const findDestination = endpoint({
  method: 'GET',
  path: '/Scan/findDestination',
  summary: 'The organization that a transfer to this name would reach.',
  needs: may('Scan', 'Transfer'),
  query: exact({ name: TransferForm.entries.dstOrganizationName }),
  answer: v.object({ name: Text }),
})
/** Not in the specification: progress and results of the viewer's transfers, newest first. */
export const listTransfers = endpoint({
  method: 'GET',
  path: '/Scan/listTransfers',
  summary: 'Transfers that the viewer started, newest first.',
  needs: may('Scan', 'Transfer'),
  answer: v.array(Transfer, 'A list.'),
})
/** Not in the specification: what a transfer removed, by which rule, and what could not be judged. */
export const getTransferReport = endpoint({
  method: 'GET',
  path: '/Scan/getTransferReport',
  summary: 'Proof report of a de-identified transfer.',
  needs: may('Scan', 'Transfer'),
  query: byId,
  answer: v.object({ text: Text }),
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
/** 7.38, 5.13 */
export const share = endpoint({
  method: 'POST',
  path: '/Scan/share/:organizationId',
  summary: 'Create a link with which somebody without an account can download one series.',
  needs: may('Scan', 'Share'),
  params: ofOrganization,
  body: exact({ seriesUID: Uid, ...shareEntries }),
  answer: downloadUrl,
})
/** Not in the specification: the links of a scan. */
export const listShares = endpoint({
  method: 'GET',
  path: '/Scan/listShares',
  summary: 'Share links of a scan, newest first.',
  needs: may('Scan', 'Share'),
  query: ofSeries,
  answer: v.array(ShareLink, 'A list.'),
})
/** Not in the specification: a share link can be revoked (P25). */
export const revokeShare = endpoint({
  method: 'DELETE',
  path: '/Scan/revokeShare/:id',
  summary: 'Revoke a share link at once.',
  needs: may('Scan', 'Share'),
  params: byId,
})
/** The secret of a share link: it travels in bodies only, so that it stands in no log. */
const ShareToken = v.pipe(required('This link is not complete.'), v.maxLength(200, 'This link is not valid.'))
/** What the public page of a share link may say before the download: nothing about the patient (P25). */
export const SharedScan = v.object({
  expireDate: Instant,
  hasPassword: v.boolean('Yes or no.'),
  usesLeft: maybe(Numeric),
})
export type SharedScan = v.InferOutput<typeof SharedScan>
/** The public page `/share/{token}`. Wrong, expired, revoked and used up answer alike, 404. */
export const getShared = endpoint({
  method: 'POST',
  path: '/Scan/getShared',
  summary: 'Until when a share link works and what it asks for.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
  answer: SharedScan,
})
/** Counts one use and answers a one-time address. A wrong password answers 400. */
export const openShared = endpoint({
  method: 'POST',
  path: '/Scan/openShared',
  summary: 'A one-time address that downloads what a share link shows.',
  needs: 'nothing',
  body: exact({
    token: ShareToken,
    password: v.optional(
      v.nullable(v.pipe(v.string('Text.'), v.maxLength(limits.passwordMaxChars, atMost(limits.passwordMaxChars)))),
      null,
    ),
  }),
  answer: downloadUrl,
})
/** 7.38 */
export const getTransferRegions = endpoint({
  method: 'GET',
  path: '/Scan/getTransferRegions',
  summary: 'Regions that scans can be transferred to.',
  needs: may('Scan', 'Transfer'),
  answer: v.array(TransferRegion, 'A list.'),
})
/** 7.38, 5.15 */
const Remove = exact({
  seriesIdList: v.pipe(
    v.array(Uid, 'Give the series as a list.'),
    v.minLength(1, 'Choose at least one scan.'),
    v.maxLength(500, 'Delete at most 500 scans at once.'),
  ),
})
/** 7.38: `delete` is a word of the language, hence the name. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/Scan/delete/:organizationId',
  summary: 'Delete series with their objects, links and thumbnails.',
  needs: may('Scan', 'Delete'),
  params: ofOrganization,
  body: Remove,
})
/** 7.38, 2.41: `organizationId` is the viewer's. */
export const getUploader = endpoint({
  method: 'POST',
  path: '/Scan/getUploader/:organizationId',
  summary: 'Where the uploader app can be downloaded.',
  needs: 'session',
  params: ofOrganization,
  body: exact({ platform: v.picklist(['windows', 'linux'], 'windows or linux.') }),
  answer: v.object({ url: Text }),
})

/** 5.13, as the form has it. */
export const ShareForm = exact(shareEntries)
export type ShareForm = v.InferOutput<typeof ShareForm>
/** 5.15 */
export const DeleteForm = exact({
  phrase: v.pipe(required(), v.literal(limits.deletePhrase, `Please type '${limits.deletePhrase}'.`)),
})
