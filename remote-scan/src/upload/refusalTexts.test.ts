import { failureReason } from '@dmp/dicom'
import type * as refusals from './refusalTexts.ts'

afterEach(() => localStorage.clear())

function explainIn(language: string, reason: string, sentence: string): string {
  localStorage.setItem('preference:language', language)
  let said = ''
  jest.isolateModules(() => {
    const { explainRefusal } = jest.requireActual<typeof refusals>('./refusalTexts.ts')
    said = explainRefusal({ kind: 'refused', failureCode: failureReason.cannotUnderstand, reason, sentence })
  })
  return said
}

// Without a catalogue the page's own words are those of its sources.
it.each([
  ['en', 'VR', 'The element at byte 12 has an unknown value representation.', 'The element at byte 12 has an'],
  ['de', 'VR', 'The element at byte 12 has an unknown value representation.', 'The file is damaged: a part of it is'],
  ['en', 'NOT_DICOM', '', 'This is not a DICOM file.'],
  ['de', 'OF_A_LATER_SERVER', 'The server knows more.', 'The server knows more.'],
  ['de', 'constructor', '', `The server refused this file (reason ${failureReason.cannotUnderstand}).`],
])(
  'in %s a file refused for %s (%j) is explained by the page or the server: %s',
  (language, reason, sentence, said) => {
    expect(explainIn(language, reason, sentence)).toContain(said)
  },
)
