import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { patientAge } from './scan.entities.ts'

describe('the age of a patient [3.13]', () => {
  const header = (birth: string, acquired: string, stated?: string): JsonDataset => ({
    '00100030': { vr: 'DA', Value: [birth] },
    '00080022': { vr: 'DA', Value: [acquired] },
    ...(stated !== undefined && { '00101010': { vr: 'AS', Value: [stated] } }),
  })

  it.each([
    ['as it is stated', '19700102', '20240506', '045Y', '45 years'],
    ['as it is stated, of one', '19700102', '20240506', '001W', '1 week'],
    ['on the birthday', '19700506', '20240506', undefined, '54 years'],
    ['on the day before', '19700507', '20240506', undefined, '53 years'],
    ['in the month before', '19700601', '20240506', undefined, '53 years'],
    ['in the month after', '19700430', '20240506', undefined, '54 years'],
    ['of two years', '20220506', '20240506', undefined, '2 years'],
    ['of less than two years, in months', '20230301', '20240506', undefined, '14 months'],
    ['of a new-born', '20240501', '20240506', undefined, '0 months'],
    ['of somebody who is not born yet', '20240507', '20240506', undefined, null],
  ])('is counted to the day of the scan: %s', (_what, birth, acquired, stated, expected) => {
    expect(patientAge(header(birth, acquired, stated))).toBe(expected)
  })
})
