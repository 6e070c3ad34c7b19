/** People who do not exist, for the demo's scans. */
export interface DemoPatient {
  /** As DICOM writes names. */
  readonly name: string
  readonly birthDate: string
  readonly sex: 'F' | 'M' | 'O'
  /** Metres and kilograms. */
  readonly height: number
  readonly weight: number
  readonly ethnicity: string
}

export const demoPatients: readonly DemoPatient[] = [
  { name: 'Sample^Anna', birthDate: '19650314', sex: 'F', height: 1.68, weight: 71, ethnicity: 'European' },
  { name: 'Fiktiv^Bernd', birthDate: '19501102', sex: 'M', height: 1.81, weight: 93, ethnicity: 'European' },
  { name: 'Exemple^Chloé', birthDate: '19880721', sex: 'F', height: 1.62, weight: 55, ethnicity: 'European' },
  { name: 'Ejemplo^Diego', birthDate: '19790909', sex: 'M', height: 1.75, weight: 80, ethnicity: 'Hispanic' },
  { name: 'Mock^Emily^Rose', birthDate: '20010130', sex: 'F', height: 1.7, weight: 60, ethnicity: 'Asian' },
  { name: 'Placeholder^Frank', birthDate: '19420605', sex: 'M', height: 1.77, weight: 84, ethnicity: 'African' },
  { name: 'Próba^Gosia', birthDate: '19931218', sex: 'F', height: 1.65, weight: 68, ethnicity: 'European' },
  { name: 'Invented^Hassan', birthDate: '19700425', sex: 'M', height: 1.79, weight: 88, ethnicity: 'Arab' },
  { name: 'Madeup^Ingrid', birthDate: '19580817', sex: 'F', height: 1.59, weight: 63, ethnicity: 'European' },
  { name: 'Notreal^Jun', birthDate: '19840211', sex: 'M', height: 1.72, weight: 70, ethnicity: 'Asian' },
  { name: 'Fictional^Kim', birthDate: '19951023', sex: 'O', height: 1.74, weight: 66, ethnicity: 'Asian' },
  { name: 'Pretend^Lucia', birthDate: '19470708', sex: 'F', height: 1.6, weight: 58, ethnicity: 'Hispanic' },
]
