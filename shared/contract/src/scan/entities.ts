import * as v from 'valibot'
import { Instant, Uuid, maybe } from '../fields.ts'
import { SaasName } from '../organization.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** dataStoreID and imageSetID have the shape that external viewers expect. */
export const StoreId = v.pipe(
  v.string('This id is missing.'),
  v.regex(/^[0-9a-z]{32}$/, 'This is not a datastore or image set id.'),
)

/** What a program made of images and sent back; not in the specification. */
export const scanResultKinds = ['Report', 'Segmentation', 'SecondaryCapture', 'Document', 'PresentationState'] as const
export type ScanResultKind = (typeof scanResultKinds)[number]

export const ScanResult = v.object({
  kind: v.picklist(scanResultKinds, 'A kind of result.'),
  /** Manufacturer and model, as the object says them. */
  madeBy: maybe(Text),
  /** The API token or DICOM partner that sent it, by its name then; null where a person did. */
  sender: maybe(Text),
})
export type ScanResult = v.InferOutput<typeof ScanResult>

/**
 * Not in the specification: the instances that are images, as in DICOM, of which each has a frame or many; absent where
 * the server does not say. What counts frames beside it is the specification's number of images or slices.
 */
export const ImageInstances = v.optional(Numeric)

/**
 * 3.12. A row is one series. `acqDate` is a DICOM date as YYYY-MM-DD; `noOfImages` counts its frames, and is null when
 * they are not known.
 */
export const ScanRow = v.object({
  studyUID: Text,
  seriesUID: Text,
  dataStoreID: Text,
  /** Null while the image set is being built; the list leaves such rows out (2.58). */
  imageSetID: maybe(Text),
  patientName: Text,
  seriesDescription: Text,
  source: Text,
  acqDate: maybe(Text),
  noOfImages: maybe(Numeric),
  imageInstances: ImageInstances,
  compatibleSaas: v.array(SaasName, 'A list.'),
  /** Not in 3.12: for the column chooser and the search. */
  patientID: Text,
  modality: Text,
  /** When its first image arrived. */
  uploadDateTime: maybe(Instant),
  /** Null for images; absent where the list does not say. */
  result: v.optional(maybe(ScanResult)),
})
export type ScanRow = v.InferOutput<typeof ScanRow>

/**
 * 3.13. Text as people read it; lengths in mm, weight in kg, height in m, BMI in kg/m², dates YYYY-MM-DD, times
 * HH:MM:SS.
 */
export const Scan = v.object({
  organizationId: Uuid,
  /** Not in 3.13: the add-on apps that the organization has a license for; absent where the server does not say. */
  licensedSaas: v.optional(v.array(SaasName, 'A list.')),
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
    /** Not in 3.13: the name in the script of its own language; absent where the object has none beside `name`. */
    nativeName: v.optional(Text),
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
  imageInstances: ImageInstances,
  /** Not in 3.13: null for images; absent where the server does not say. */
  result: v.optional(maybe(ScanResult)),
})
export type Scan = v.InferOutput<typeof Scan>
