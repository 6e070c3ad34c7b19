import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, atMost, exact, maybe } from '../fields.ts'
import { limits } from '../limits.ts'
import { SaasName } from '../organization.ts'
import { pageQuery, SearchTerm } from '../paging.ts'
import { ImageInstances, ScanRow } from './entities.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')
const YesOrNo = v.boolean('Yes or no.')

/** A study with its series, newest first; dates as in the list of scans. */
export const Study = v.object({
  studyUID: Text,
  patientName: Text,
  /** The name in the script of its own language; absent where the study has none beside `patientName`. */
  nativeName: v.optional(Text),
  patientID: Text,
  birthDate: maybe(Text),
  sex: maybe(Text),
  studyDate: maybe(Text),
  description: Text,
  accessionNumber: Text,
  modalities: v.array(Text, 'A list.'),
  bodyParts: v.array(Text, 'A list.'),
  sources: v.array(Text, 'A list.'),
  compatibleSaas: v.array(SaasName, 'A list.'),
  /** How many series it has, of which `series` holds the first ones. */
  seriesCount: Numeric,
  /** Frames of all its images. */
  images: Numeric,
  imageInstances: ImageInstances,
  /** When its newest series came. */
  arrivedDate: Instant,
  /** It came in the last days, and the viewer has not opened it since. */
  isNew: YesOrNo,
  /** A share link of one of its series still works. */
  isShared: YesOrNo,
  /** One of its series was transferred to another organization. */
  isTransferred: YesOrNo,
  series: v.array(ScanRow, 'A list.'),
})
export type Study = v.InferOutput<typeof Study>

const sortable = ['arrivedDate', 'patientName', 'patientID', 'studyDate', 'description'] as const

/** Several values of one kind: `CT,MR`. */
const Choices = v.pipe(
  v.string('The choices must be text.'),
  v.maxLength(limits.searchMaxChars, () => atMost(limits.searchMaxChars)),
  v.transform((text) => text.split(',').filter((choice) => choice !== '')),
)
const Day = v.pipe(v.string('A day is text.'), v.isoDate('Write a day as 2026-11-23.'))
const Only = v.picklist(['true'], 'Write true, or leave it out.')

/** What narrows the worklist; all of it must hold. */
export const studyFilters = {
  modality: v.optional(Choices),
  bodyPart: v.optional(Choices),
  source: v.optional(Choices),
  saas: v.optional(Choices),
  studyFrom: v.optional(Day),
  studyTo: v.optional(Day),
  /** Days of the viewer, in `timeZone`. */
  receivedFrom: v.optional(Day),
  receivedTo: v.optional(Day),
  isNew: v.optional(Only),
  isShared: v.optional(Only),
  /** Opened by the viewer in the last days. */
  isMine: v.optional(Only),
} as const
export const studyFilterNames = Object.keys(studyFilters) as (keyof typeof studyFilters)[]

/** Not in the specification: the worklist. Without `organizationId`, the viewer's own organization. */
export const listStudies = endpoint({
  method: 'GET',
  path: '/Scan/listStudies',
  summary: 'Studies of an organization with their series, those that arrived last first.',
  needs: may('Scan', 'List'),
  query: exact({
    ...pageQuery(sortable),
    ...studyFilters,
    organizationId: v.optional(Uuid),
    /** Only the studies of the patient of this study; itself alone where it has no patient's ID. */
    patientOf: v.optional(Uid),
    /** Only this study. */
    studyUID: v.optional(Uid),
  }),
  answer: v.array(Study, 'A list.'),
  sortable,
})

/** Not in the specification: whether there is anything new since a list was read. */
export const countStudies = endpoint({
  method: 'GET',
  path: '/Scan/countStudies',
  summary: 'How many studies match, of those that arrived after a moment.',
  needs: may('Scan', 'List'),
  query: exact({
    search: v.optional(SearchTerm),
    timeZone: pageQuery(sortable).timeZone,
    ...studyFilters,
    organizationId: v.optional(Uuid),
    arrivedAfter: v.optional(Instant),
  }),
  answer: v.object({ count: Numeric }),
})

/** Not in the specification: the choices of the worklist's filters, from its newest studies. */
export const getStudyKinds = endpoint({
  method: 'GET',
  path: '/Scan/getStudyKinds',
  summary: 'Modalities, body parts and sources of the newest studies.',
  needs: may('Scan', 'List'),
  query: exact({ organizationId: v.optional(Uuid) }),
  answer: v.object({
    modalities: v.array(Text, 'A list.'),
    bodyParts: v.array(Text, 'A list.'),
    sources: v.array(Text, 'A list.'),
  }),
})
