/** The page of the patient of a study. By the study: what names a patient does not belong into an address (P23). */
export const patientPath = (organizationId: string, studyUID: string): string =>
  `/scan/patient/${organizationId}/${studyUID}`
