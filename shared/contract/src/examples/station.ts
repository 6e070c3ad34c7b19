import type { Station, StationAnswer, StationReport } from '../station.ts'
import { anId, northClinic } from './ids.ts'

export const aStation = (over: Partial<Station> = {}): Station => ({
  id: anId(120),
  name: 'CT in room 3',
  status: 'Sending',
  version: '1.1.0',
  isOutdated: false,
  system: 'Windows',
  waiting: 1200,
  waitingBytes: 640_000_000,
  sent: 31_000,
  refused: 2,
  failed: 0,
  organization: northClinic.name,
  account: 'Uploader in room 3',
  tokenId: anId(122),
  tokenStatus: 'Active',
  tokenExpiresDate: '2027-05-05T08:00:00.000Z',
  address: '192.0.2.7',
  firstSeenDate: '2026-05-05T08:00:00.000Z',
  lastSeenDate: '2026-05-06T09:00:00.000Z',
  ...over,
})

export const aStationReport = (over: Partial<StationReport> = {}): StationReport => ({
  machineId: anId(121),
  name: 'CT in room 3',
  version: '1.1.0',
  system: 'Windows',
  waiting: 1200,
  waitingBytes: 640_000_000,
  sent: 31_000,
  refused: 2,
  failed: 0,
  isPaused: false,
  ...over,
})

export const aStationAnswer = (over: Partial<StationAnswer> = {}): StationAnswer => ({
  organization: northClinic.name,
  product: '1.1.0',
  offered: '1.1.0',
  oldest: '1.0.0',
  ...over,
})
