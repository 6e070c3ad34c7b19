import { defaultAlertRules, saasNames } from '../organization.ts'
import type {
  AlertRules,
  License,
  Organization,
  OrganizationExport,
  OrganizationImport,
  Readiness,
  Setup,
} from '../organization.ts'
import { anId, northClinic } from './ids.ts'

export const aLicense = (over: Partial<License> = {}): License => ({
  id: anId(20),
  licenseId: anId(21),
  isActive: true,
  isAutomaticAnalysis: false,
  saas: saasNames[0],
  ...over,
})

export const anOrganization = (over: Partial<Organization> = {}): Organization => ({
  ...northClinic,
  createdDate: '2025-11-03T10:00:00.000Z',
  updatedDate: '2026-01-08T16:45:00.000Z',
  region: 'Europe',
  status: 'Activated',
  organizationStatus: { status: 'Activated', createdDate: '2025-12-05T07:35:00.000Z', createdByUser: 'Ms Super Admin' },
  licenses: [aLicense()],
  ...over,
})

export const aReadiness = (over: Partial<Readiness> = {}): Readiness => ({
  status: 'Activated',
  hasDatastore: true,
  saas: [saasNames[0]],
  people: 3,
  confirmedAdministrators: 1,
  invitation: null,
  scans: 12,
  sample: null,
  isDismissed: false,
  ...over,
})

/** An installation on its first day: nothing was tried, and nobody was invited. */
export const aSetup = (over: Partial<Setup> = {}): Setup => ({
  company: { name: 'DMP Imaging', isNamed: false, address: 'http://localhost:4000', isAddressed: false },
  storage: {
    sentence: 'Scans are kept in the data folder of the server.',
    freeMegabytes: 51_200,
    test: null,
    isProven: false,
  },
  mail: { sentence: 'Mails go out through mail.example.', test: null, isProven: false },
  administrators: 1,
  customers: 0,
  firstCustomer: null,
  isDismissed: false,
  ...over,
})

export const anAlertRules = (over: Partial<AlertRules> = {}): AlertRules => ({
  ...defaultAlertRules,
  timeZone: 'Europe/Berlin',
  ...over,
})

export const anExport = (over: Partial<OrganizationExport> = {}): OrganizationExport => ({
  id: anId(40),
  state: 'Ready',
  createdBy: 'Ms Ada Berg',
  createdDate: '2026-01-09T10:00:00.000Z',
  objects: 1200,
  objectsDone: 1200,
  bytes: 734_003_200,
  readyDate: '2026-01-09T10:04:00.000Z',
  expiresDate: '2026-01-16T10:04:00.000Z',
  reason: null,
  endedBy: null,
  ...over,
})

export const anImport = (over: Partial<OrganizationImport> = {}): OrganizationImport => ({
  id: anId(41),
  state: 'Done',
  createdBy: 'Ms Ada Berg',
  createdDate: '2026-01-09T10:00:00.000Z',
  bytes: 734_003_200,
  bytesArrived: 734_003_200,
  uploadUrl: null,
  from: 'South Clinic',
  objects: 1200,
  stored: 1190,
  present: 8,
  refused: 2,
  refusals: [
    {
      reason: 'DAMAGED',
      sentence: 'The file is not the one that was exported: its SHA-256 is another one.',
      count: 2,
      examples: ['scans-0001/DICOM/D00000/I00003', 'scans-0001/DICOM/D00000/I00004'],
    },
  ],
  records: [
    { kind: 'people', added: 4, present: 1, refused: 0, sentences: [] },
    { kind: 'complaints', added: 2, present: 0, refused: 0, sentences: [] },
  ],
  reason: null,
  files: [],
  endedBy: null,
  endedDate: '2026-01-09T10:04:00.000Z',
  ...over,
})
