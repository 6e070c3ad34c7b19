import type { ApiToken, ApiTokenDraft, Device, NewApiToken } from '../apiToken.ts'
import { anId, northClinic } from './ids.ts'

export const anApiToken = (over: Partial<ApiToken> = {}): ApiToken => ({
  id: anId(90),
  name: 'Orthanc in room 3',
  status: 'Active',
  scopes: ['read', 'upload'],
  organization: northClinic.name,
  owner: 'Ms Ada Berg',
  hint: 'x7Qz',
  addresses: ['192.0.2.0/24'],
  createdDate: '2026-05-05T08:00:00.000Z',
  expiresDate: '2026-08-03T08:00:00.000Z',
  lastUsedDate: '2026-05-06T09:00:00.000Z',
  lastUsedAddress: '192.0.2.7',
  endedDate: null,
  endedBy: null,
  ...over,
})

export const aNewApiToken = (over: Partial<NewApiToken> = {}): NewApiToken => ({
  ...anApiToken({ lastUsedDate: null, lastUsedAddress: null }),
  token: 'dmp_0123456789012345678901234567890123456789abcABCDEF',
  ...over,
})

export const anApiTokenDraft = (over: Partial<ApiTokenDraft> = {}): ApiTokenDraft => ({
  name: 'Orthanc in room 3',
  scopes: ['read', 'upload'],
  expireInDays: 90,
  addresses: ['192.0.2.0/24'],
  parts: [],
  previewers: [],
  password: 'the own password',
  ...over,
})

export const aDevice = (over: Partial<Device> = {}): Device => ({
  name: 'CT in room 3',
  clientId: 'dmp-uploader',
  scopes: ['upload'],
  address: '192.0.2.7',
  requestedDate: '2026-05-05T08:00:00.000Z',
  expiresDate: '2026-05-05T08:10:00.000Z',
  ...over,
})
