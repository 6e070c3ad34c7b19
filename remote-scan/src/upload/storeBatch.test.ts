import { toMultipart } from './storeBatch.ts'
import { toUploadOutcomes } from './uploadOutcome.ts'

const fromResponse = (response: object, count: number) => toUploadOutcomes(JSON.stringify(response), count)

const stored = (series: string, warning?: number) => ({
  '00081190': { Value: [`/dicom-web/studies/1.2/series/${series}/instances/1.2.3`] },
  ...(warning === undefined ? {} : { '00081196': { Value: [warning] } }),
})

const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob)
  })

it('writes the files one after the other as multipart/related', async () => {
  const text = await textOf(toMultipart([new Blob(['one']), new Blob(['two'])]))
  const boundary = text.slice(0, text.indexOf('\r\n'))
  expect(text).toBe(
    `${boundary}\r\nContent-Type: application/dicom\r\n\r\none\r\n${boundary}\r\nContent-Type: application/dicom\r\n\r\ntwo\r\n${boundary}--\r\n`,
  )
})

it('gives each file its outcome: refused ones by their number, the others in order', () => {
  const answer = {
    '0008119A': { Value: [{ '00000902': { Value: ['This is not a DICOM file.'] }, '00091002': { Value: [2] } }] },
    '00081199': { Value: [stored('1.9'), stored('1.8', 0xb007)] },
  }
  expect(fromResponse(answer, 3)).toEqual([
    { kind: 'stored', seriesUID: '1.9' },
    { kind: 'refused', reason: 'This is not a DICOM file.' },
    { kind: 'duplicate', seriesUID: '1.8' },
  ])
})

it('takes no number for a file that was not sent', () => {
  const failed = (part: number) => ({ '00000902': { Value: ['No.'] }, '00091002': { Value: [part] } })
  expect(
    fromResponse(
      {
        '0008119A': { Value: [failed(0), failed(3), failed(9)] },
        '00081199': { Value: [stored('1.9'), stored('1.8')] },
      },
      2,
    ),
  ).toEqual([
    { kind: 'stored', seriesUID: '1.9' },
    { kind: 'stored', seriesUID: '1.8' },
  ])
})

it('does not call a file stored of which the server says nothing', () => {
  expect(fromResponse({}, 1)).toEqual([
    { kind: 'refused', reason: "We don't know whether this file was stored. Upload it again." },
  ])
})

it('names a reason without words by its number', () => {
  expect(
    fromResponse({ '00081198': { Value: [{ '00081197': { Value: [49442] }, '00091002': { Value: [1] } }] } }, 1),
  ).toEqual([{ kind: 'refused', reason: 'The server refused this file (reason 49442).' }])
})

it.each([
  ['NOT_DICOM', true],
  ['DICOMDIR', true],
  ['CONFLICT', undefined],
])('takes a file refused for %s for no image: %s', (word, isNoImage) => {
  const refused = { '00091001': { Value: [word] }, '00000902': { Value: ['No.'] }, '00091002': { Value: [1] } }
  const [outcome] = fromResponse({ '0008119A': { Value: [refused] } }, 1)
  expect(outcome?.kind === 'refused' && outcome.isNoImage).toBe(isNoImage)
})
