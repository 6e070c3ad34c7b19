import type { Prior } from '../study/priors.ts'

/** Another study of the patient, as the server lists it. */
export const prior = (studyUID: string, more: Partial<Prior> = {}): Prior => ({
  studyUID,
  studyDate: '2025-01-01',
  description: 'Thorax',
  modalities: ['CT'],
  bodyParts: ['CHEST'],
  images: 1,
  patientName: 'DOE, JANE',
  birthDate: null,
  sex: null,
  pictureSeriesUID: null,
  ...more,
})
