import { readFileSync } from 'node:fs'
import { part10Start, type RawElement } from '../../../shared/dimse/src/elementWriter.ts'
import { sampleObjects } from '../../../server/src/dicom/sampleObjects.ts'
import { datasetBytes, slice, text, type Elements } from '../../../server/src/dicom/testing/dicomFile.ts'

const code = (value: string, meaning: string): Elements => ({
  '00080100': text('SH', value),
  '00080102': text('SH', value.startsWith('9') ? '99LOCAL' : 'DCM'),
  '00080104': text('LO', meaning),
})
const content = (type: string, name: Elements, value: Record<string, RawElement | Elements[]>): Elements => ({
  '0040A010': text('CS', 'CONTAINS'),
  '0040A040': text('CS', type),
  '0040A043': [name],
  ...value,
})

/** Objects without pixels, of which the samples have none: a report, a waveform, a presentation state. */
const bases: ReadonlyArray<readonly [sopClassUID: string, Elements]> = [
  [
    '1.2.840.10008.5.1.4.1.1.88.33',
    {
      '0040A040': text('CS', 'CONTAINER'),
      '0040A730': [
        content('TEXT', code('121106', 'Comment'), { '0040A160': text('UT', 'no finding') }),
        content('PNAME', code('121008', 'Person Observer Name'), { '0040A123': text('PN', 'Observer^One') }),
        content('CODE', code('9001', 'A local name'), { '0040A168': [code('9002', 'A local meaning')] }),
        content('CONTAINER', code('121070', 'Findings'), {
          '0040A730': [content('TEXT', code('121071', 'Finding'), { '0040A160': text('UT', 'deeper') })],
        }),
      ],
    },
  ],
  [
    '1.2.840.10008.5.1.4.1.1.9.1.1',
    {
      '0040B020': [{ '00700006': text('ST', 'a note') }],
      '54000100': [{ '003A0020': text('SH', 'a label'), '54001010': { vr: 'OW', value: Buffer.alloc(400, 3) } }],
    },
  ],
  [
    '1.2.840.10008.5.1.4.1.1.11.1',
    { '00700001': [{ '00700008': [{ '00700006': text('ST', 'an arrow') }] }], '00700081': text('LO', 'a label') },
  ],
]

function withoutPixels([sopClassUID, elements]: (typeof bases)[number]): Buffer {
  const header = Object.entries(slice()).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag))
  const dataset = datasetBytes({ ...Object.fromEntries(header), '00080016': text('UI', sopClassUID), ...elements })
  const start = { sopClassUID, sopInstanceUID: '1.2.3.4.5', transferSyntaxUID: '1.2.840.10008.1.2.1' }
  return Buffer.concat([part10Start(start), dataset])
}

/** Slices of one volume are alike: one of them is enough. */
const isFirstSlice = (path: string): boolean => !path.includes('papaya') && !/brain_0(?:0[2-9]|1\d|20)/.test(path)

export const listObjects = (): readonly Buffer[] => [
  ...sampleObjects()
    .filter(isFirstSlice)
    .map((path) => readFileSync(path)),
  ...bases.map(withoutPixels),
]
