import * as v from 'valibot'
import { MachineName, Networks } from './apiToken.ts'
import { endpoint, may, type ActionOf } from './endpoint.ts'
import { exact, Instant, maybe, Password, required, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** What a partner may ask of the DICOM node; everybody who is let in may verify the line (C-ECHO). */
export const serviceNames = ['Store', 'Query', 'Retrieve'] as const
export const ServiceName = v.picklist(serviceNames, 'This is not a service: Store, Query or Retrieve.')
export type ServiceName = v.InferOutput<typeof ServiceName>

/** The actions on scans that a service stands for. */
export const actionsOfService: Readonly<Record<ServiceName, readonly ActionOf<'Scan'>[]>> = {
  Store: ['Upload'],
  Query: ['List'],
  Retrieve: ['Get', 'Download'],
}

/** Suspended: the organization is deactivated. */
export const statusNames = ['Active', 'Suspended', 'Disabled'] as const
export const StatusName = v.picklist(statusNames, 'This is not a status of a DICOM partner.')
export type StatusName = v.InferOutput<typeof StatusName>

/** A modality, a workstation or an archive that speaks DICOM (PS3.8) with one organization. */
export const DicomPartner = v.object({
  id: Uuid,
  name: Text,
  status: StatusName,
  aeTitle: Text,
  services: v.array(ServiceName, 'A list.'),
  organization: Text,
  /** Full name of the person who added it or changed it last. */
  owner: Text,
  /** Networks that it may come from; empty where its certificate alone says who it is. */
  addresses: v.array(Text, 'A list.'),
  /** SHA-256 of the certificate that it has to show; null where it may come without TLS. */
  fingerprint: maybe(Text),
  /** Where images and answers are sent to it; null where nothing is. */
  host: maybe(Text),
  port: maybe(Count),
  usesTls: v.boolean('Yes or no.'),
  createdDate: Instant,
  lastSeenDate: maybe(Instant),
  lastSeenAddress: maybe(Text),
})
export type DicomPartner = v.InferOutput<typeof DicomPartner>

/** Why somebody was not let in. */
export const callerReasons = ['Unknown', 'Disabled', 'WrongAddress', 'WrongCertificate'] as const
export const CallerReason = v.picklist(callerReasons, 'This is not a reason.')
export type CallerReason = v.InferOutput<typeof CallerReason>

/** Somebody who called the organization's AE title and was refused. */
export const DicomCaller = v.object({
  id: Uuid,
  aeTitle: Text,
  address: Text,
  reason: CallerReason,
  /** SHA-256 of the certificate that it showed. */
  fingerprint: maybe(Text),
  /** Who has this AE title; null where nobody has. */
  partnerId: maybe(Uuid),
  times: Count,
  firstDate: Instant,
  lastDate: Instant,
  organization: Text,
})
export type DicomCaller = v.InferOutput<typeof DicomCaller>

/** What a technician types into a modality, beside the host name of the platform. */
export const DicomNode = v.object({
  /** By which an organization is called; each has its own. */
  aeTitle: Text,
  /** Null where the node is off. */
  port: maybe(Count),
  tlsPort: maybe(Count),
})
export type DicomNode = v.InferOutput<typeof DicomNode>

const title = () =>
  'Write an AE title: up to 16 letters, digits and signs, without blanks at its ends and without a backslash.'

/** PS3.5 section 6.2: an AE title; upper and lower case are not the same. */
export const AeTitle = v.pipe(
  required(),
  v.trim(),
  v.nonEmpty('This field is required!'),
  v.maxLength(limits.aeTitleMaxChars, title),
  v.regex(/^[ -[\]-~]+$/, title),
)

const sha256 = () => 'Write a SHA-256 fingerprint: 64 digits from 0 to 9 and A to F, with or without colons.'
const Fingerprint = v.pipe(
  v.string(sha256),
  v.maxLength(120, sha256),
  v.transform((text) => text.replaceAll(/[\s:]/g, '').toUpperCase()),
  v.regex(/^[0-9A-F]{64}$/, sha256),
)

const host = () => 'Write the name or the address of a host, such as pacs.example.org or 192.0.2.7.'
const Host = v.pipe(
  v.string(host),
  v.trim(),
  v.maxLength(limits.dicomHostMaxChars, host),
  v.regex(/^[a-z0-9.:-]+$/i, host),
)

const port = () => 'Write a port from 1 to 65535.'
const Port = v.pipe(v.number(port), v.integer(port), v.minValue(1, port), v.maxValue(65_535, port))

/** What a person decides about a partner. The server demands an address or a certificate: an AE title is no secret. */
export const DicomPartnerDraft = exact({
  name: MachineName,
  aeTitle: AeTitle,
  services: v.pipe(
    v.array(ServiceName, 'The services are a list.'),
    v.minLength(1, 'Choose at least one service.'),
    v.maxLength(serviceNames.length, 'Name each service once.'),
    v.check((list) => new Set(list).size === list.length, 'Name each service once.'),
  ),
  addresses: v.optional(Networks, []),
  fingerprint: v.optional(v.nullable(Fingerprint), null),
  host: v.optional(v.nullable(Host), null),
  port: v.optional(v.nullable(Port), null),
  usesTls: v.optional(v.boolean('Yes or no.'), false),
  /** The person's own: an open session alone must not open a door for longer than it lasts. */
  password: Password,
})
export type DicomPartnerDraft = v.InferOutput<typeof DicomPartnerDraft>

const sortable = ['name', 'status', 'aeTitle', 'organization', 'lastSeenDate', 'createdDate'] as const
const byId = exact({ id: Uuid })

/** Those of the viewer's organization, the newest first. The provider's staff see all. */
export const list = endpoint({
  method: 'GET',
  path: '/DicomPartner/list',
  summary: 'DICOM partners of the organization.',
  needs: may('DicomPartner', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(DicomPartner, 'A list.'),
  sortable,
})

export const get = endpoint({
  method: 'GET',
  path: '/DicomPartner/get',
  summary: 'One DICOM partner.',
  needs: may('DicomPartner', 'Get'),
  query: byId,
  answer: DicomPartner,
})

export const getNode = endpoint({
  method: 'GET',
  path: '/DicomPartner/getNode',
  summary: 'By what AE title and port modalities reach the organization.',
  needs: may('DicomPartner', 'List'),
  answer: DicomNode,
})

/** The server keeps a bounded number of them, for a while. */
export const listCallers = endpoint({
  method: 'GET',
  path: '/DicomPartner/listCallers',
  summary: 'Who called the organization by DICOM and was refused; the latest first.',
  needs: may('DicomPartner', 'List'),
  answer: v.array(DicomCaller, 'A list.'),
})

export const dismissCaller = endpoint({
  method: 'DELETE',
  path: '/DicomPartner/dismissCaller/:id',
  summary: 'Take a refused caller off the list; the next call puts it there again.',
  needs: may('DicomPartner', 'Update'),
  params: byId,
})

/** In the viewer's own organization. */
export const add = endpoint({
  method: 'POST',
  path: '/DicomPartner/add',
  summary: 'Let a DICOM partner in.',
  needs: may('DicomPartner', 'Add'),
  body: DicomPartnerDraft,
  answer: DicomPartner,
})

/** What it has open is judged anew at once. */
export const update = endpoint({
  method: 'PUT',
  path: '/DicomPartner/update/:id',
  summary: 'Change what a DICOM partner is known by and what it may do.',
  needs: may('DicomPartner', 'Update'),
  params: byId,
  body: DicomPartnerDraft,
  answer: DicomPartner,
  renews: get,
})

/** What it has open is cut off. */
export const disable = endpoint({
  method: 'PUT',
  path: '/DicomPartner/disable/:id',
  summary: 'Refuse a DICOM partner at once, until somebody enables it again.',
  needs: may('DicomPartner', 'Update'),
  params: byId,
  answer: DicomPartner,
  renews: get,
})

export const enable = endpoint({
  method: 'PUT',
  path: '/DicomPartner/enable/:id',
  summary: 'Let a disabled DICOM partner in again.',
  needs: may('DicomPartner', 'Update'),
  params: byId,
  answer: DicomPartner,
  renews: get,
})

/** The audit trail goes on naming it. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/DicomPartner/delete/:id',
  summary: 'Delete a DICOM partner; what it has open is cut off.',
  needs: may('DicomPartner', 'Delete'),
  params: byId,
})
