/**
 * Examples that are valid by schema (a test proves it): `aComplaint({ currentStatus: 'Resolved' })`.
 * They feed tests and the demo seed; every call gives a fresh object.
 */
import type { AuditDetail, AuditRow } from '../audit.ts'
import type { LoginTokens, SessionRow } from '../account.ts'
import type { Complaint, ComplaintRow, Lookup } from '../complaint.ts'
import { severityNames, statusNames } from '../complaint.ts'
import type { License, Organization } from '../organization.ts'
import { providerOrganizationId, saasNames } from '../organization.ts'
import { policyOf, roleDisplayNames } from '../policy.ts'
import type { Registration } from '../registration.ts'
import type { Scan, ScanRow, ShareLink, Transfer } from '../scan.ts'
import type { RuntimeSettings } from '../settings.ts'
import { roleNames, type Role, type RoleName, type User } from '../user.ts'

/** A UUID made of a number, so that examples can be told apart: `anId(7)`. */
export const anId = (n: number): string => `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`

export const northClinic = { id: '00000000-0000-4000-8000-000000000002', name: 'North-Clinic' } as const
export const southClinic = { id: '00000000-0000-4000-8000-000000000003', name: 'South-Clinic' } as const
export const westClinic = { id: '00000000-0000-4000-8000-000000000004', name: 'West-Clinic' } as const
export const provider = { id: providerOrganizationId, name: 'Provider' } as const

const lookup =
  (first: number) =>
  (name: string, index: number): Lookup => ({
    id: `00000000-0000-4000-8000-000000000${first + index}`,
    name,
    isDefault: index === 0,
    isActive: true,
  })
export const complaintStatuses: readonly Lookup[] = statusNames.map(lookup(201))
export const complaintSeverities: readonly Lookup[] = severityNames.map(lookup(301))
export const complaintTypes: readonly Lookup[] = ['Defect', 'Usability', 'Performance', 'Data', 'Other'].map(
  lookup(401),
)
export const regions: readonly Lookup[] = ['Europe', 'North America', 'Asia Pacific'].map(lookup(601))
export const roles: readonly Role[] = roleNames.map((name, index) => ({
  id: `00000000-0000-4000-8000-000000000${701 + index}`,
  name,
  displayName: roleDisplayNames[name],
  isDefault: name === 'staff',
}))

/** A user of a role, with the policy that goes with it. */
export function aUser(role: RoleName = 'staff', over: Partial<User> = {}): User {
  const internal = role === 'super_admin' || role === 'sys_admin'
  const home = internal ? provider : northClinic
  return {
    id: anId(1),
    email: `${role}@example.org`,
    civility: 'Ms',
    firstName: 'Ada',
    lastName: 'Berg',
    fullName: 'Ms Ada Berg',
    userName: `${role}@example.org`,
    createdDate: '2026-01-15T09:30:00.000Z',
    updatedDate: '2026-02-20T14:05:00.000Z',
    landline: '+49 30 1234567',
    mobile: '+49 170 1234567',
    fax: null,
    isConfirmed: true,
    role: { id: roles[roleNames.indexOf(role)]?.id ?? anId(0), role, roleDisplayName: roleDisplayNames[role] },
    policy: policyOf(role),
    status: {
      id: anId(2),
      comment: null,
      createdByUser: 'Mr Otto Krug',
      createdDate: '2026-01-15T09:30:00.000Z',
      status: 'Activated',
    },
    organization: { ...home },
    organizationId: home.id,
    ...over,
  }
}

/** What a finished sign-in answers (3.01); with `challengeName` and without tokens, what an unfinished one does. */
export const someLoginTokens = (over: Partial<LoginTokens> = {}): LoginTokens => ({
  accessToken: 'an-access-token',
  refreshToken: 'a-refresh-token',
  idToken: 'an-id-token',
  challengeName: null,
  userId: anId(1),
  session: null,
  expiresIn: 900,
  expireDate: '2026-02-20T14:20:00.000Z',
  ...over,
})

export const aChallenge = (challengeName: LoginTokens['challengeName'], over: Partial<LoginTokens> = {}): LoginTokens =>
  someLoginTokens({
    accessToken: null,
    refreshToken: null,
    idToken: null,
    expiresIn: null,
    expireDate: null,
    challengeName,
    session: 'a-challenge',
    ...over,
  })

export const aSessionRow = (over: Partial<SessionRow> = {}): SessionRow => ({
  id: anId(60),
  startedDate: '2026-05-05T08:00:00.000Z',
  lastSeenDate: '2026-05-05T09:00:00.000Z',
  device: 'Chrome on Windows',
  address: '192.0.2.7',
  isCurrent: true,
  ...over,
})

export const aComplaintRow = (over: Partial<ComplaintRow> = {}): ComplaintRow => ({
  id: anId(10),
  complaintNumber: 'C-000010',
  createdByUser: 'Ms Ada Berg',
  moduleAlias: 'Scan',
  type: 'Defect',
  description: 'The slice slider jumps back to the first slice.',
  createdDate: '2026-03-02T08:15:00.000Z',
  updatedDate: '2026-03-02T08:15:00.000Z',
  severity: 'Medium',
  currentStatus: 'New',
  ...over,
})

export const aComplaint = (over: Partial<Complaint> = {}): Complaint => ({
  ...aComplaintRow(),
  statusList: [
    {
      id: anId(11),
      status: 'New',
      createdByUser: 'Ms Ada Berg',
      createdDate: '2026-03-02T08:15:00.000Z',
      comment: null,
    },
  ],
  imageData: null,
  ...over,
})

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
  organizationStatus: { status: 'Activated', createdDate: '2025-11-03T10:00:00.000Z', createdByUser: 'Ms Super Admin' },
  licenses: [aLicense()],
  ...over,
})

export const aRegistration = (over: Partial<Registration> = {}): Registration => ({
  id: anId(30),
  createdDate: '2026-04-11T07:20:00.000Z',
  updatedDate: '2026-04-11T07:20:00.000Z',
  region: 'Europe',
  organizationName: 'East-Clinic',
  status: 'New',
  registrationStatus: { status: 'New', createdDate: '2026-04-11T07:20:00.000Z', createdByUser: null, comment: null },
  contactInfo: {
    civility: 'Dr',
    firstName: 'Ines',
    lastName: 'Vogel',
    email: 'ines.vogel@east.example',
    mobile: '+43 660 1234567',
    landline: null,
    fax: null,
  },
  ...over,
})

export const aScanRow = (over: Partial<ScanRow> = {}): ScanRow => ({
  studyUID: '2.25.100',
  seriesUID: '2.25.200',
  dataStoreID: '0123456789abcdefghijklmnopqrstuv',
  imageSetID: 'vutsrqponmlkjihgfedcba9876543210',
  patientName: 'Sample, Ruth',
  seriesDescription: 'Axial T1',
  source: 'Upload',
  acqDate: '2026-05-04',
  noOfImages: 20,
  compatibleSaas: ['Autometrics'],
  patientID: 'P-1001',
  modality: 'MR',
  ...over,
})

export const aScan = (over: Partial<Scan> = {}): Scan => ({
  organizationId: northClinic.id,
  basic: {
    institutionName: 'North Clinic',
    bodyPartExamined: 'KNEE',
    totalSliceCount: 20,
    sliceThickness: 3,
    acquisitionDate: '2026-05-04',
    acquisitionTime: '10:12:13',
    studyDescription: 'Knee',
    seriesDescription: 'Axial T1',
    compatibleSaas: ['Autometrics'],
  },
  patient: {
    ID: 'P-1001',
    name: 'Sample, Ruth',
    birthDate: '1970-02-03',
    age: '56 years',
    sex: 'Female',
    ethnicity: null,
    weight: 70,
    height: 1.75,
    BMI: 22.9,
    referringPhysician: null,
    requestingPhysician: null,
    accessionNumber: 'A-1',
  },
  advanced: {
    studyUID: '2.25.100',
    seriesUID: '2.25.200',
    seriesDate: '2026-05-04',
    seriesTime: '10:11:12',
    studyDate: '2026-05-04',
    pixelSpacing: '0.5 × 0.5 mm',
    columns: 256,
    rows: 256,
    laterality: 'R',
    deviceSerialNumber: '42',
    manufacturer: 'Example',
    manufacturerModelName: 'One',
    uploadDateTime: '2026-05-05T08:00:00.000Z',
    modality: 'MR',
    dataStoreID: '0123456789abcdefghijklmnopqrstuv',
    imageSetID: 'vutsrqponmlkjihgfedcba9876543210',
  },
  tags: [
    { key: '(0010,0020) Patient ID', value: 'P-1001' },
    { key: '(0008,0060) Modality', value: 'MR' },
  ],
  ...over,
})

export const anAuditRow = (over: Partial<AuditRow> = {}): AuditRow => ({
  id: anId(60),
  at: '2026-05-05T09:00:00.000Z',
  event: 'ScanViewed',
  outcome: 'success',
  actor: 'Ms Ada Berg',
  actorEmail: 'staff@example.org',
  organization: 'North-Clinic',
  subject: [{ key: 'seriesUID', value: '2.25.200' }],
  address: '192.0.2.10',
  ...over,
})
export const anAuditDetail = (over: Partial<AuditDetail> = {}): AuditDetail => ({
  ...anAuditRow(),
  requestId: 'req-1',
  position: 7,
  hash: 'b'.repeat(64),
  previousHash: 'a'.repeat(64),
  isIntact: true,
  ...over,
})

export const aShareLink = (over: Partial<ShareLink> = {}): ShareLink => ({
  id: anId(40),
  createdByUser: 'Ms Ada Berg',
  createdDate: '2026-05-05T09:00:00.000Z',
  expireDate: '2026-05-06T09:00:00.000Z',
  hasPassword: false,
  maxUses: null,
  uses: 0,
  lastUsedDate: null,
  revokedDate: null,
  ...over,
})

export const aTransfer = (over: Partial<Transfer> = {}): Transfer => ({
  id: anId(50),
  createdDate: '2026-05-05T09:00:00.000Z',
  finishedDate: null,
  state: 'Running',
  dstOrganizationName: 'South-Clinic',
  anonymize: true,
  scans: [
    {
      seriesUID: '2.25.200',
      description: 'Axial T1',
      newSeriesUID: null,
      state: 'Running',
      message: null,
      images: 20,
      imagesDone: 5,
    },
  ],
  ...over,
})

export const someSettings = (over: Partial<RuntimeSettings> = {}): RuntimeSettings => ({
  applicationName: 'Data Management Platform',
  productVersion: 'v1.1.0',
  apiRoot: '/api',
  liveUrl: '/live',
  clientId: 'dmp-web',
  isDemo: false,
  idle: { required: true, idleMinutes: 10, timeoutMinutes: 5 },
  mfaMinutes: 3,
  tokenCheckSeconds: 60,
  tokenRenewBeforeSeconds: 180,
  liveValidateSeconds: 60,
  pingSeconds: 600,
  company: {
    name: 'Example Imaging',
    address: '1 Example Street, 10115 Berlin, Germany',
    website: 'https://imaging.example',
    ecRepAddress: '2 Example Street, 10115 Berlin, Germany',
    manufactureDate: '2024-09-26',
    udi: { number: '(01)00000000000000', manufactureDate: '2024-09-26', version: '1.1.0' },
    labelDocumentNumber: 'DLT-002 Rev:3',
    manualLink: 'https://imaging.example/manual',
    termsOfUse: 'https://imaging.example/terms',
    year: '2026',
  },
  apps: { viewer: '', bmd: '', autometrics: '' },
  hideScanSearch: false,
  ...over,
})
