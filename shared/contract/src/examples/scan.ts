import type { Scan, ScanRow, ShareLink, SharedStudy, Transfer } from '../scan/index.ts'
import { anId, northClinic } from './ids.ts'

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
  allowsDownload: true,
  recipient: null,
  hasCode: false,
  scans: 1,
  visits: [],
  ...over,
})

export const aSharedStudy = (over: Partial<SharedStudy> = {}): SharedStudy => ({
  studyUID: '2.25.100',
  description: 'MR Heart',
  studyDate: '2026-05-04',
  patientName: 'Sample, Anna',
  patientID: 'P-1001',
  birthDate: '1980-02-29',
  sex: 'Female',
  series: [
    { seriesUID: '2.25.200', modality: 'MR', description: 'Cine', images: 16 },
    { seriesUID: '2.25.201', modality: 'MR', description: 'Late enhancement', images: 12 },
  ],
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
