import type { DicomCaller, DicomNode, DicomPartner } from '../dicomPartner.ts'
import { anId, northClinic } from './ids.ts'

export const aDicomPartner = (over: Partial<DicomPartner> = {}): DicomPartner => ({
  id: anId(97),
  name: 'CT in room 3',
  status: 'Active',
  aeTitle: 'CT_ROOM3',
  services: ['Store'],
  organization: northClinic.name,
  owner: 'Ms Ada Berg',
  addresses: ['192.0.2.7/32'],
  fingerprint: null,
  host: '192.0.2.7',
  port: 104,
  usesTls: false,
  createdDate: '2026-05-05T08:00:00.000Z',
  lastSeenDate: '2026-05-06T09:00:00.000Z',
  lastSeenAddress: '192.0.2.77',
  ...over,
})

export const aDicomCaller = (over: Partial<DicomCaller> = {}): DicomCaller => ({
  id: anId(98),
  aeTitle: 'MR_ROOM1',
  address: '192.0.2.9',
  reason: 'Unknown',
  fingerprint: null,
  partnerId: null,
  times: 3,
  firstDate: '2026-05-06T08:00:00.000Z',
  lastDate: '2026-05-06T09:00:00.000Z',
  organization: northClinic.name,
  ...over,
})

export const aDicomNode = (over: Partial<DicomNode> = {}): DicomNode => ({
  aeTitle: 'DMP3F9A1C07B2',
  port: 11_112,
  tlsPort: null,
  ...over,
})
