import { aScan } from '@dmp/contract/examples'
import type { Fact } from '@dmp/kit/screen'

it('are written as the language of the page writes dates and numbers, and tags as DICOM does [3.13]', async () => {
  localStorage.setItem('preference:language', 'de')
  const { basicFacts, patientFacts, advancedFacts } = await import('./facts.tsx')
  const { basic, patient, advanced } = aScan()
  const facts = [
    ...basicFacts({ ...basic, acquisitionDate: '2025-01-31' }),
    ...patientFacts({ ...patient, birthDate: '1964-08-12' }),
    ...advancedFacts({
      ...advanced,
      studyDate: '2025-01-30',
      seriesDate: '2025-01-31',
      seriesTime: '10:12:00',
      pixelSpacing: '0.9375 × 0.5',
    }),
  ]
  const valueOf = (label: string): Fact['value'] => facts.find((fact) => fact.label === label)?.value
  expect(
    ['Acquisition Date', 'Birth Date', 'Study Date', 'Series Date and Time', 'Pixel Spacing'].map(valueOf),
  ).toEqual(['31.01.2025', '12.08.1964', '30.01.2025', '31.01.2025, 10:12:00', '0,9375 × 0,5'])
})
