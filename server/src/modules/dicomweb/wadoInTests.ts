import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import {
  dicomFile,
  encapsulated,
  datasetBytes,
  slice,
  text,
  u16,
  type Elements,
} from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

export let server: TestServer
export let staff: SignedIn
export let provider: SignedIn

export const explicitLittleEndian = '1.2.840.10008.1.2.1'
export const path = (uid: string) => `/dicom-web/studies/1.80/series/1.80.1/instances/${uid}`
export const get = (url: string, accept = 'application/octet-stream', who = staff) =>
  server.app.inject({ url, headers: { ...who.headers, accept } })
export const object = (uid: string, changes: Elements = {}): Elements =>
  slice({ '00080018': text('UI', uid), '0020000D': text('UI', '1.80'), '0020000E': text('UI', '1.80.1'), ...changes })
const compressed = (uid: string, frames: number, fragments: readonly Buffer[], table: readonly number[]): Buffer => {
  const { '7FE00010': _pixels, ...header } = object(uid, { '00280008': text('IS', String(frames)) })
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    sopInstanceUID: uid,
    dataset: Buffer.concat([datasetBytes(header), encapsulated(fragments, table)]),
  })
}

/** Three frames of eight bits, of one and the same number each. */
const numberedFrames = Buffer.concat([1, 2, 3].map((number) => Buffer.alloc(16, number)))
/** Nine bits a frame, without a gap between them: the first is empty, the second is a cross, the third is full. */
export const bits = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
export const packBits = (bitList: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(bitList.length / 8))
  bitList.forEach((bit, index) => (bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7))))
  return bytes
}
export const [first, second, third] = ['one', 'two!', 'three!'].map((word) => Buffer.from(`${word}.`.padEnd(8))) as [
  Buffer,
  Buffer,
  Buffer,
]
export const hidden = Buffer.alloc(5000, 'behind')
/** Three frames that are dark above and bright below, or the other way round. */
const halves = (isDarkAbove: boolean): Buffer =>
  Buffer.alloc(48, Buffer.concat([Buffer.alloc(8, isDarkAbove ? 0 : 255), Buffer.alloc(8, isDarkAbove ? 255 : 0)]))
/** Without a picture. */
const report = (uid: string, study: string, series: string): Elements =>
  Object.fromEntries(
    Object.entries(
      object(uid, {
        '00100010': text('PN', 'Other^Olga'),
        '0020000D': text('UI', study),
        '0020000E': text('UI', series),
      }),
    ).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag)),
  )

export async function startWithFrames(): Promise<void> {
  server = await startServer()
  ;[staff, provider] = await Promise.all([server.signIn('staff'), server.signIn('super_admin')])
  const palette = sampleObjects()
    .filter((file) => basename(file).startsWith('US-PAL'))
    .map((file) => readFileSync(file))
  const eight = { '00280100': u16(8), '00280101': u16(8), '00280102': u16(7), '00280008': text('IS', '3') }
  const instance = {
    '00280100': u16(1),
    '00280101': u16(1),
    '00280102': u16(0),
    '00280008': text('IS', '3'),
    '00280010': u16(3),
    '00280011': u16(3),
  }
  const reply = await stow(server, staff, [
    ...palette,
    dicomFile({ elements: object('1.80.1.1', { ...eight, '7FE00010': { vr: 'OB', value: numberedFrames } }) }),
    dicomFile({ elements: object('1.80.1.2', { ...instance, '7FE00010': { vr: 'OB', value: packBits(bits) } }) }),
    compressed('1.80.1.3', 2, [first, second, third], [0, 2 * 16]),
    dicomFile({ elements: report('1.82.1.1', '1.82', '1.82.1') }),
    // Reports that come before the pictures of their study, and of their series.
    dicomFile({ elements: report('1.83.0.1', '1.83', '1.83.0') }),
    dicomFile({ elements: report('1.83.1.0', '1.83', '1.83.1') }),
    ...['1.83.1', '1.83.2'].map((series, index) =>
      dicomFile({
        elements: object(`${series}.1`, {
          ...eight,
          '00100010': text('PN', 'Other^Olga'),
          '0020000D': text('UI', '1.83'),
          '0020000E': text('UI', series),
          '7FE00010': { vr: 'OB', value: halves(index === 0) },
        }),
      }),
    ),
    dicomFile({
      elements: object('1.80.1.4', { '00081140': [{}, { '00082112': [{ '00282000': { vr: 'OB', value: hidden } }] }] }),
    }),
  ])
  expect(reply.statusCode).toBe(200)
}
