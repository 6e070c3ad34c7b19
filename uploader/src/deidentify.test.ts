import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { status } from '@dmp/dimse'
import { tag } from '@dmp/dicom'
import { elementBytes, itemBytes, part10Start, textValue, type RawElement } from '@dmp/dimse/elementWriter'
import { askCommitment, ctClass, dial, freePort, openReports, sliceBytes, store } from './gateway/deviceInTests.ts'
import { startUploader } from './processesInTests.ts'
import { readMeta, Receiver } from './receiverInTests.ts'
import { exitCodes } from './stop.ts'

// The uploader as a process of its own, and a server that keeps every byte that left the machine.

const encoding = { isExplicit: true, isBigEndian: false }
const text = (vr: string, value: string): RawElement => textValue(vr, value)
const number = (value: number): RawElement => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return { vr: 'US', value: bytes }
}
/** Of which none may leave: names, numbers, places, dates, private texts, UIDs. */
const identifiers = {
  name: 'Canarybird',
  given: 'Tildaline',
  patientID: 'PID-48213377',
  born: '19530417',
  accession: 'ACC9931',
  referrer: 'Quillfeather',
  institution: 'Brackenhospital',
  station: 'CTSTATION77',
  privateText: 'Secretmaker said so',
  nested: 'Nestedname',
  studyDate: '20240229',
  studyUID: '1.2.826.0.1.3680043.9.7777.1',
  seriesUID: '1.2.826.0.1.3680043.9.7777.1.1',
  frameUID: '1.2.826.0.1.3680043.9.7777.5',
  instanceUID: '1.2.826.0.1.3680043.9.7777.9.',
}
const is = identifiers

interface Kind {
  readonly modality?: string
  readonly sopClassUID?: string
  readonly pixels?: number
}

function object(at: number, { modality = 'CT', sopClassUID = ctClass, pixels = 512 }: Kind = {}): Buffer {
  const sopInstanceUID = `${is.instanceUID}${at}`
  const rows = Math.sqrt(pixels / 2)
  const nested = elementBytes('00401001', text('SH', is.nested), encoding)
  const elements: Record<string, RawElement> = {
    [tag.SOPClassUID]: text('UI', sopClassUID),
    [tag.SOPInstanceUID]: text('UI', sopInstanceUID),
    [tag.StudyDate]: text('DA', is.studyDate),
    [tag.AccessionNumber]: text('SH', is.accession),
    [tag.Modality]: text('CS', modality),
    '00080080': text('LO', is.institution),
    [tag.ReferringPhysicianName]: text('PN', is.referrer),
    '00081010': text('SH', is.station),
    [tag.SeriesDescription]: text('LO', `Series of ${is.name}`),
    '00090010': text('LO', 'A MAKER'),
    '00091001': text('LT', is.privateText),
    [tag.PatientName]: text('PN', `${is.name}^${is.given}`),
    [tag.PatientID]: text('LO', is.patientID),
    [tag.PatientBirthDate]: text('DA', is.born),
    [tag.StudyInstanceUID]: text('UI', is.studyUID),
    [tag.SeriesInstanceUID]: text('UI', is.seriesUID),
    [tag.InstanceNumber]: text('IS', String(at)),
    '00200052': text('UI', is.frameUID),
    [tag.SamplesPerPixel]: number(1),
    [tag.PhotometricInterpretation]: text('CS', 'MONOCHROME2'),
    [tag.Rows]: number(rows),
    [tag.Columns]: number(rows),
    [tag.BitsAllocated]: number(16),
    [tag.BitsStored]: number(16),
    [tag.HighBit]: number(15),
    [tag.PixelRepresentation]: number(0),
    '00400275': { vr: 'SQ', value: itemBytes(nested, false) },
    [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(pixels, at % 251) },
  }
  const dataset = Object.keys(elements)
    .sort()
    .map((key) => elementBytes(key, elements[key]!, encoding))
  const transferSyntaxUID = '1.2.840.10008.1.2.1'
  return Buffer.concat([part10Start({ sopClassUID, sopInstanceUID, transferSyntaxUID }), ...dataset])
}

let folder: string
let scans: string
let receiver: Receiver
beforeEach(async () => {
  // The paths of the files are nobody's business either.
  folder = mkdtempSync(path.join(tmpdir(), `uploader-deidentify-${is.name}-`))
  scans = path.join(folder, 'scans')
  mkdirSync(scans)
  receiver = await new Receiver().listen()
})
afterEach(() => {
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (name: string, content: Buffer): void => writeFileSync(path.join(scans, name), content)
const start = (state: string, words: readonly string[], settings: object = { deidentify: true }) => {
  const config = path.join(folder, 'settings.json')
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
  return startUploader(['--config', config, '--state', path.join(folder, state), ...words], folder, {
    HOME: folder,
    UPLOADER_SERVER: receiver.address,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
  })
}
const run = async (state = 'state', words: readonly string[] = [], settings?: object) =>
  start(state, [...words, scans], settings).end
const leaked = (): string[] => {
  const bytes = receiver.heard().toString('latin1').toLowerCase()
  return Object.values(identifiers).filter((each) => bytes.includes(each.toLowerCase()))
}

it('sends what it finds as it is while nobody asked for more [P80]', async () => {
  put('a.dcm', object(1))
  expect(await run('state', [], {})).toMatchObject({ code: exitCodes.done })
  expect(receiver.objects).toEqual([object(1)])
  expect(leaked()).toHaveLength(Object.keys(identifiers).length)
})

it('lets nothing leave that names anybody, and keeps series together [P80]', async () => {
  for (const at of [1, 2, 3]) put(`${is.name} ${at}.dcm`, object(at))
  const first = await run()
  expect(first.said).toContain('What is sent is de-identified first.')
  expect([first.code, receiver.objects.length, leaked()]).toEqual([exitCodes.done, 3, []])
  const [one, two] = receiver.objects.map((bytes) => bytes.toString('latin1'))
  // The study, the series and the patient: the same new ones in each object.
  const series = (one?.match(/2\.25\.\d+/g) ?? []).filter((uid) => two?.includes(uid))
  expect(new Set(series).size).toBeGreaterThanOrEqual(3)
  const patient = /ANON-[0-9A-F]{10}/.exec(one ?? '')?.[0]
  expect(two).toContain(patient)
  // Their pixels are those of the scans, and what lies here is as it was.
  expect(receiver.objects.map((bytes) => bytes.subarray(-512))).toEqual([1, 2, 3].map((at) => Buffer.alloc(512, at)))
  expect(readFileSync(path.join(scans, `${is.name} 1.dcm`))).toEqual(object(1))
  expect(readdirSync(path.join(folder, 'state/deidentified'))).toEqual([])
})

it('makes the same of the same with the key of this machine, and another with another [P80]', async () => {
  put('a.dcm', object(1))
  await run()
  cpSync(path.join(scans, 'a.dcm'), path.join(scans, 'b.dcm'))
  const again = await run('state', ['--again'])
  expect(again.said).toContain('2 were already stored.')
  const [first, ...others] = receiver.objects
  expect(others).toEqual([first, first])
  const keyFile = path.join(folder, 'state/deidentification.key')
  if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  await run('another')
  expect(readMeta(receiver.objects.at(-1)!, 3)).not.toBe(readMeta(first!, 3))
  writeFileSync(keyFile, 'broken')
  const broken = await run('state', ['--again'])
  expect([broken.code, broken.said]).toEqual([2, expect.stringContaining('is damaged')])
  expect([receiver.objects.length, leaked()]).toEqual([5, []])
})

it.each([
  ['a picture that may show a name', object(1, { modality: 'US' }), /may show text that names the patient/],
  ['a document', object(1, { sopClassUID: '1.2.840.10008.5.1.4.1.1.104.1' }), /Encapsulated documents/],
  ['what is broken', object(1).subarray(0, -100), /ends inside its pixel data/],
])('keeps %s here, and says why [P80]', async (_name, bytes, reason) => {
  put('held.dcm', bytes)
  put('other.dcm', object(2))
  const { code, said } = await run()
  expect([code, receiver.objects.length, leaked()]).toEqual([exitCodes.notAllSent, 1, []])
  expect(said).toMatch(/held\.dcm: It cannot be de-identified, and was not sent: /)
  expect(said).toMatch(reason)
})

it('goes on in the middle of a large copy, and sends nothing of the original then [P80]', async () => {
  const pixels = 2 * 2300 * 2300
  put('large.dcm', object(1, { pixels }))
  receiver.breakNext = 3_000_000
  expect(await run()).toMatchObject({ code: exitCodes.done })
  expect([receiver.objects.length, leaked()]).toEqual([1, []])
  const [copy] = receiver.objects
  expect(copy?.subarray(-pixels).equals(Buffer.alloc(pixels, 1))).toBe(true)
  // The bytes before the break were not sent again.
  expect(receiver.heard().length).toBeLessThan(copy!.length + 3_000_000)
  expect(readdirSync(path.join(folder, 'state/deidentified'))).toEqual([])
})

it('commits to no device what only a copy is of [P80, P71]', async () => {
  const reports = await openReports()
  const port = await freePort()
  const partners = [{ aeTitle: 'CT_ROOM3', address: '127.0.0.1', port: reports.port }]
  const gateway = { aeTitle: 'DMP_GATEWAY', port, host: '127.0.0.1', reserveGigabytes: 0, partners }
  const running = start('state', ['--watch'], { gateway, deidentify: true, lookEverySeconds: 1 })
  const dialed = async () => {
    for (;;)
      try {
        return await dial(port)
      } catch {
        await wait(50)
      }
  }
  const association = await dialed()
  expect(await store(association, 1, sliceBytes(1))).toBe(status.success)
  while (receiver.objects.length === 0) await wait(50)
  expect(await askCommitment(association, '1.2.9.7', [1])).toBe(status.success)
  await association.release()
  expect(await reports.next()).toMatchObject({
    references: [],
    failures: [{ sopInstanceUID: '1.2.77.1.1', reason: status.noSuchInstance }],
  })
  running.process.kill('SIGTERM')
  await running.end
  reports.close()
  const bytes = receiver.heard().toString('latin1')
  expect(['Gateway^Test', 'GW-1', '1.2.77', '20260101'].filter((each) => bytes.includes(each))).toEqual([])
})
