/** One real series that the demo shows under made-up labels. `files` are names within the sample packages. */
export interface DemoSample {
  readonly files: readonly string[]
  readonly study: string
  readonly series: string
  readonly bodyPart: string
  readonly laterality?: 'L' | 'R'
}

const volume = Array.from({ length: 20 }, (_, index) => `brain_${String(index + 1).padStart(3, '0')}.dcm`)

export const demoSamples: readonly DemoSample[] = [
  { files: volume, study: 'MR Head', series: 'FSE PD axial oblique', bodyPart: 'HEAD' },
  { files: ['implicit_little.dcm'], study: 'MR Head', series: 'FLAIR axial', bodyPart: 'HEAD' },
  { files: ['jpeg_ls.dcm'], study: 'MR Shoulder', series: 'T1 coronal', bodyPart: 'SHOULDER', laterality: 'R' },
  { files: ['rle.dcm'], study: 'CT Chest', series: 'Lung 1.0', bodyPart: 'CHEST' },
  { files: ['jpeg_2000.dcm'], study: 'CT Chest', series: 'Mediastinum 5.0', bodyPart: 'CHEST' },
  { files: ['jpeg_lossless_sel1.dcm'], study: 'CT Chest', series: 'Scout', bodyPart: 'CHEST' },
  { files: ['jpeg_baseline_8bit.dcm'], study: 'Coronary angiography', series: 'LCA cine', bodyPart: 'HEART' },
  { files: ['explicit_little.dcm'], study: 'MR Heart', series: 'Short axis cine', bodyPart: 'HEART' },
  { files: ['sample3.dcm'], study: 'MR Head', series: '3-plane localizer', bodyPart: 'HEAD' },
  { files: ['sample.dcm'], study: 'PET Whole body', series: 'PET WB', bodyPart: 'WHOLEBODY' },
  { files: ['US-PAL-8-10x-echo.dcm'], study: 'Echocardiography', series: 'Parasternal long axis', bodyPart: 'HEART' },
  { files: ['sample2.dcm'], study: 'Quality assurance', series: 'Test pattern', bodyPart: 'PHANTOM' },
]

export interface DemoScan {
  readonly sample: DemoSample
  /** Index into `demoPatients`. */
  readonly patient: number
  /** Scans of one visit belong to one study. */
  readonly visit: string
  /** YYYYMMDD and HHMMSS. */
  readonly date: string
  readonly time: string
}

/** Every sample for `rounds` patients, on working days of two years; the same at every start. */
export function demoScans(rounds: number, firstPatient: number, patients: number): DemoScan[] {
  const scans: DemoScan[] = []
  for (let round = 0; round < rounds; round++) {
    demoSamples.forEach((sample, index) => {
      const patient = (firstPatient + round * 5 + index) % patients
      const day = new Date(Date.UTC(2024, (index * 2 + round * 7) % 12, 1 + ((index * 5 + round * 11) % 28)))
      if (round % 2 === 1) day.setUTCFullYear(2025)
      const date = day.toISOString().slice(0, 10).replaceAll('-', '')
      const minutes = 8 * 60 + ((index * 37 + round * 53) % 540)
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}00`
      scans.push({ sample, patient, visit: `${patient} ${date} ${sample.study}`, date, time })
    })
  }
  return scans
}
