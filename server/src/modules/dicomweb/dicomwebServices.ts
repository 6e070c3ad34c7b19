import type { ActionOf } from '@dmp/contract'
import type { OfferedType } from './acceptedTypes.ts'
import type { QueryLevel } from './queryKeys.ts'

/**
 * The DICOMweb services, each once: routing, negotiation, the check of parameters, the capabilities that the server
 * tells (PS3.18 section 8.9), and docs/conformance.md are all made of this table.
 */

export const root = '/dicom-web'
const study = `${root}/studies/:study`
const series = `${study}/series/:series`
const instance = `${series}/instances/:instance`
const frames = `${instance}/frames/:frames`

const alone = (type: string): OfferedType => ({ type, isMultipart: false })
const parts = (type: string): OfferedType => ({ type, isMultipart: true })

/** Parameters of an address, besides the keys of a search. */
export const parameters = {
  accept: 'media types as in the header Accept, which it replaces (section 8.3.3.1)',
  organizationId: 'the organization, for people who see several; not of the standard',
  limit: 'results at most, up to 1,000 (section 8.3.4.4)',
  offset: 'results to skip (section 8.3.4.4)',
  fuzzymatching: '`true`: each word of a name anywhere in it, at most 16 words (section 8.3.4.2)',
  includefield: 'attributes to answer as well, by keyword or tag, or `all` (section 8.3.4.3)',
  viewport: 'width,height of the picture at most, each up to 2048 (section 8.3.5.1.3)',
  window: 'center,width,function; the function is linear, linear-exact or sigmoid (section 8.3.5.1.4)',
  quality: '1 to 100, of image/jpeg (section 8.3.5.1.2)',
} as const
export type ParameterName = keyof typeof parameters

export interface Service {
  readonly title: string
  /** Of PS3.18. */
  readonly section: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly paths: readonly string[]
  /** The permission on scans that it needs. */
  readonly action: ActionOf<'Scan'>
  /** Media types of the answer, that of a request without preference first. */
  readonly answers: readonly OfferedType[]
  /** Media types of the body. */
  readonly takes?: readonly OfferedType[]
  readonly parameters: readonly ParameterName[]
  /** Takes the matching keys of the level as parameters. */
  readonly level?: QueryLevel
  readonly note?: string
}

const everywhere = ['accept', 'organizationId'] as const
const json = [alone('application/dicom+json'), alone('application/json')]
const pictures = [alone('image/jpeg'), alone('image/png')]
const searching = [...everywhere, 'limit', 'offset', 'fuzzymatching', 'includefield'] as const
const drawing = [...everywhere, 'viewport', 'window', 'quality'] as const
const storedForm =
  'As stored where no transfer syntax is asked for; in explicit little endian, or in the one that it is stored in, ' +
  'where that is.'

export const services = {
  store: {
    title: 'Store instances',
    section: '10.5',
    method: 'POST',
    paths: [`${root}/studies`, study],
    action: 'Upload',
    answers: json,
    takes: [parts('application/dicom'), parts('application/dicom+json'), alone('application/dicom')],
    parameters: everywhere,
    note:
      'An object is stored as it is, byte for byte, and never replaced. Metadata with bulk data (section 10.5.1.2) ' +
      'become an object in explicit little endian, in ISO_IR 192; metadata are 4 MB at most, and the objects no longer ' +
      'together than what was sent.',
  },
  searchStudies: {
    title: 'Search for studies',
    section: '10.6',
    method: 'GET',
    paths: [`${root}/studies`],
    action: 'List',
    answers: json,
    parameters: searching,
    level: 'studies',
  },
  searchSeries: {
    title: 'Search for series',
    section: '10.6',
    method: 'GET',
    paths: [`${root}/series`, `${study}/series`],
    action: 'List',
    answers: json,
    parameters: searching,
    level: 'series',
  },
  searchInstances: {
    title: 'Search for instances',
    section: '10.6',
    method: 'GET',
    paths: [`${root}/instances`, `${study}/instances`, `${series}/instances`],
    action: 'List',
    answers: json,
    parameters: searching,
    level: 'instances',
  },
  objects: {
    title: 'Retrieve the instances of a study or of a series',
    section: '10.4.1.1.1',
    method: 'GET',
    paths: [study, series],
    action: 'Download',
    answers: [parts('application/dicom')],
    parameters: everywhere,
    note: storedForm,
  },
  object: {
    title: 'Retrieve an instance',
    section: '10.4.1.1.1',
    method: 'GET',
    paths: [instance],
    action: 'Download',
    answers: [parts('application/dicom'), alone('application/dicom')],
    parameters: everywhere,
    note: storedForm,
  },
  metadata: {
    title: 'Retrieve metadata',
    section: '10.4.1.1.2',
    method: 'GET',
    paths: [study, series, instance].map((path) => `${path}/metadata`),
    action: 'Get',
    answers: json,
    parameters: everywhere,
  },
  frames: {
    title: 'Retrieve frames',
    section: '10.4.1.1.6',
    method: 'GET',
    paths: [frames],
    action: 'Get',
    answers: [parts('application/octet-stream'), alone('application/octet-stream')],
    parameters: everywhere,
    note:
      'application/octet-stream is decoded samples, unless `transfer-syntax=*` or that of the object asks for the ' +
      'stored stream; compressed frames also come in the media type of their compression (table 8.7.3-5). A request ' +
      'names each frame once.',
  },
  bulkData: {
    title: 'Retrieve bulk data',
    section: '10.4.1.1.5',
    method: 'GET',
    paths: [`${instance}/bulkdata/*`],
    action: 'Get',
    answers: [parts('application/octet-stream'), alone('application/octet-stream')],
    parameters: everywhere,
    note: 'The addresses are those that metadata name. Compressed pixel data come like frames, all of them.',
  },
  rendered: {
    title: 'Retrieve a rendered instance or frame',
    section: '10.4.1.1.3',
    method: 'GET',
    paths: [`${instance}/rendered`, `${frames}/rendered`],
    action: 'Get',
    answers: pictures,
    parameters: drawing,
    note: 'Of several frames the middle one stands for the instance. For orientation, not for diagnosis.',
  },
  renderedAll: {
    title: 'Retrieve a rendered study or series',
    section: '10.4.1.1.3',
    method: 'GET',
    paths: [`${study}/rendered`, `${series}/rendered`],
    action: 'Get',
    answers: pictures.map(({ type }) => parts(type)),
    parameters: drawing,
    note: 'A picture of each instance that has one.',
  },
  thumbnail: {
    title: 'Retrieve a thumbnail',
    section: '10.4.1.1.4',
    method: 'GET',
    paths: [study, series, instance, frames].map((path) => `${path}/thumbnail`),
    action: 'List',
    answers: [alone('image/jpeg')],
    parameters: [...everywhere, 'viewport'],
    note: 'At most 160 × 160, also where the viewport is larger.',
  },
  remove: {
    title: 'Delete a study, a series or an instance',
    section: 'not of the standard, as other archives do',
    method: 'DELETE',
    paths: [study, series, instance],
    action: 'Delete',
    answers: [],
    parameters: ['organizationId'],
    note: '204 when it is gone for everybody. An archive that keeps everything refuses with 409.',
  },
} as const satisfies Record<string, Service>

export type ServiceName = keyof typeof services
export const serviceList: readonly (readonly [ServiceName, Service])[] = Object.entries(services) as [
  ServiceName,
  Service,
][]
