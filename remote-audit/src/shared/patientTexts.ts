export const idText = (patientID: string): string => `ID ${patientID}`
export const namelessText = (): string => 'without a name'
/** A study and whose it is: "CT Chest of Sample, Anna". */
export const ofPatientText = (study: string, patient: string): string => `${study} of ${patient}`
