import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { audit, scan } from '@dmp/contract'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { readInstanceBytes } from '../../../dicom/instance.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { readFragments } from '../../../dicom/part10.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { addPartner, dicomVariables, titleOf } from '../nodeInTests.ts'

const run = promisify(execFile)
let server: TestServer
let admin: SignedIn
let folder: string
let target: readonly string[]
let title: string

/** How storescu is told to send a file as it is. */
const options: Readonly<Record<string, string>> = {
  '1.2.840.10008.1.2': '-xi',
  '1.2.840.10008.1.2.1': '-xe',
  '1.2.840.10008.1.2.2': '-xb',
  '1.2.840.10008.1.2.1.99': '-xd',
  '1.2.840.10008.1.2.5': '-xr',
  '1.2.840.10008.1.2.4.50': '-xy',
  '1.2.840.10008.1.2.4.51': '-xx',
  '1.2.840.10008.1.2.4.70': '-xs',
  '1.2.840.10008.1.2.4.80': '-xt',
  '1.2.840.10008.1.2.4.81': '-xu',
  '1.2.840.10008.1.2.4.90': '-xv',
  '1.2.840.10008.1.2.4.91': '-xw',
}

interface Sent {
  readonly path: string
  readonly uid: string
  readonly studyUID: string
  readonly transferSyntaxUID: string
}
/** One object of each transfer syntax. */
const sent = new Map<string, Sent>()

beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  await addPartner(admin, { name: 'dcmtk', aeTitle: 'DCMTK' })
  title = await titleOf(admin)
  target = ['-aet', 'DCMTK', '-aec', title, '127.0.0.1', String(server.dicomNode.port)]
  folder = mkdtempSync(join(tmpdir(), 'dmp-dcmtk-'))
  for (const path of sampleObjects()) {
    const instance = await readInstanceBytes(readFileSync(path)).catch(() => undefined)
    const transferSyntaxUID = instance?.part10.transferSyntax.uid ?? ''
    if (!instance || sent.has(transferSyntaxUID) || !(transferSyntaxUID in options)) continue
    const { sopInstanceUID: uid, studyUID } = instance
    sent.set(transferSyntaxUID, { path, uid, studyUID, transferSyntaxUID })
  }
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

const search = async (path: string) =>
  (await server.app.inject({ url: `/dicom-web/${path}`, headers: admin.headers })).json<
    Record<string, { Value?: string[] }>[]
  >()

/** What is the same of an object however its elements are written: who it is of, and its first pixels. */
async function essenceOf(bytes: Buffer) {
  const { part10, header, sopInstanceUID } = await readInstanceBytes(bytes)
  const { source, pixelData } = part10
  if (!pixelData) throw new Error('The object has no pixels.')
  const first = pixelData.length === undefined ? (await readFragments(source, pixelData)).fragments[0] : undefined
  const pixels = await source.read(first?.offset ?? pixelData.valueOffset, 200)
  return {
    sopInstanceUID,
    syntax: part10.transferSyntax.uid,
    name: header['00100010']?.Value,
    rows: header['00280010']?.Value,
    pixels: pixels.toString('hex'),
  }
}

const readFolder = (name: string): Promise<Awaited<ReturnType<typeof essenceOf>>[]> =>
  Promise.all(readdirSync(join(folder, name)).map((file) => essenceOf(readFileSync(join(folder, name, file)))))

function makeFolder(name: string): string {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const address = listener.address()
      listener.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

it('answers echoscu', async () => {
  await run('echoscu', [...target])
})

it('refuses echoscu of a title that nobody added', async () => {
  const refused = run('echoscu', ['-aet', 'STRANGER', ...target.slice(2)])
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('Calling AE Title Not Recognized') })
})

it('takes what storescu sends in each transfer syntax, as it is sent [P51]', async () => {
  expect(sent.size).toBeGreaterThan(5)
  for (const { path, transferSyntaxUID } of sent.values())
    await run('storescu', ['-R', options[transferSyntaxUID] ?? '', ...target, path])
  const rows = await search('instances')
  expect(rows).toHaveLength(sent.size)
  for (const { path, uid } of sent.values()) {
    const url = rows.find((row) => row['00080018']?.Value?.[0] === uid)?.['00081190']?.Value?.[0] ?? ''
    const reply = await server.app.inject({ url, headers: { ...admin.headers, accept: 'application/dicom' } })
    expect(await essenceOf(reply.rawPayload)).toEqual(await essenceOf(readFileSync(path)))
  }
  const { data } = await admin.call(audit.list, { event: 'ScansUploaded' })
  expect(new Set(data.map(({ actor }) => actor))).toEqual(new Set(['dcmtk (DICOM)']))
}, 120_000)

it('knows again what dcmconv wrote in another form [P20]', async () => {
  const { path } = sent.get('1.2.840.10008.1.2.1')!
  const forms = makeFolder('forms')
  const ways = [
    ['implicit', '-xi', '+ti'],
    ['endless', '-xe', '+te', '-e'],
    ['groups', '-xe', '+te', '+g'],
    ['padded', '-xe', '+te', '+p', '512', '64'],
    ['big', '-xb', '+tb'],
  ] as const
  const kept = (await search('instances')).length
  for (const [name, proposed, ...options] of ways) {
    await run('dcmconv', [...options, path, join(forms, name)])
    const { stdout, stderr } = await run('storescu', ['-v', '-R', proposed, ...target, join(forms, name)])
    expect([name, stdout + stderr]).toEqual([name, expect.stringContaining('Success')])
  }
  expect(await search('instances')).toHaveLength(kept)
  expect((await admin.call(scan.listConflicts, {})).data).toEqual([])
}, 60_000)

it('finds studies, series and images as DICOMweb does', async () => {
  const find = async (...keys: string[]): Promise<string> => {
    const { stdout, stderr } = await run('findscu', ['-v', '-S', ...target, ...keys.flatMap((key) => ['-k', key])])
    return stdout + stderr
  }
  const count = (answer: string): number => answer.match(/\(Pending\)/g)?.length ?? 0
  expect(count(await find('QueryRetrieveLevel=STUDY', 'StudyInstanceUID', 'PatientName'))).toBe(
    (await search('studies')).length,
  )
  const [first] = sent.values()
  const one = await find(
    'QueryRetrieveLevel=STUDY',
    `StudyInstanceUID=${first?.studyUID}`,
    'NumberOfStudyRelatedInstances',
  )
  expect([count(one), one.includes(first?.studyUID ?? '?')]).toEqual([1, true])
  const series = await find(
    'QueryRetrieveLevel=SERIES',
    `StudyInstanceUID=${first?.studyUID}`,
    'SeriesInstanceUID',
    'Modality',
  )
  expect(count(series)).toBe((await search(`studies/${first?.studyUID}/series`)).length)
  const images = await find('QueryRetrieveLevel=IMAGE', `SOPInstanceUID=${first?.uid}`, 'SOPClassUID', 'InstanceNumber')
  expect(count(images)).toBe(1)
  expect(count(await find('QueryRetrieveLevel=STUDY', 'PatientID=nobody'))).toBe(0)
  expect(await find('QueryRetrieveLevel=STUDY', 'ContentLabel=x')).toContain('DataSetDoesNotMatchSOPClass')
})

it('gives getscu what it asks for, in explicit little endian', async () => {
  const out = makeFolder('got')
  for (const { studyUID } of sent.values())
    await run('getscu', [
      '-S',
      ...target,
      '-od',
      out,
      '-k',
      'QueryRetrieveLevel=STUDY',
      '-k',
      `StudyInstanceUID=${studyUID}`,
    ])
  const got = await readFolder('got')
  expect(got.map(({ sopInstanceUID }) => sopInstanceUID).toSorted()).toEqual(
    [...sent.values()].map(({ uid }) => uid).toSorted(),
  )
  expect(new Set(got.map(({ syntax }) => syntax))).toEqual(new Set(['1.2.840.10008.1.2.1']))
})

it('sends to storescp what movescu asks for, as it is stored', async () => {
  const port = await freePort()
  const out = makeFolder('moved')
  const receiver: ChildProcess = spawn('storescp', ['+xa', '-od', out, '-aet', 'DEST', String(port)], {
    stdio: 'ignore',
  })
  try {
    await addPartner(admin, { name: 'Destination', aeTitle: 'DEST', services: ['Query'], host: '127.0.0.1', port })
    const keys = (uid: string) => ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${uid}`]
    while (
      await run('echoscu', ['127.0.0.1', String(port)]).then(
        () => false,
        () => true,
      )
    );
    for (const { studyUID } of sent.values()) await run('movescu', ['-S', '-aem', 'DEST', ...target, ...keys(studyUID)])
    const moved = await readFolder('moved')
    expect(moved.map(({ sopInstanceUID, syntax }) => `${sopInstanceUID} ${syntax}`).toSorted()).toEqual(
      [...sent.values()].map(({ uid, transferSyntaxUID }) => `${uid} ${transferSyntaxUID}`).toSorted(),
    )
    const [first] = sent.values()
    const refused = run('movescu', ['-v', '-S', '-aem', 'NOBODY', ...target, ...keys(first?.studyUID ?? '')])
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('MoveDestinationUnknown') })
  } finally {
    receiver.kill()
  }
}, 120_000)

it('has recipes in docs/integrating.md that run', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/integrating.md'), 'utf8')
  const [, recipe = ''] = /^```dcmtk\n([^]*?)^```/m.exec(page) ?? []
  const lines = recipe.trim().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['echoscu', 'storescu', 'findscu', 'getscu'])
  await addPartner(admin, { name: 'Recipe', aeTitle: 'MY_CT' })
  const ids = { '00080018': text('UI', '1.98.1.1'), '0020000D': text('UI', '1.98'), '0020000E': text('UI', '1.98.1') }
  writeFileSync(join(folder, 'scan.dcm'), dicomFile({ elements: slice({ ...ids, '00100020': text('LO', 'Quick') }) }))
  const cwd = makeFolder('recipe')
  for (const line of lines) {
    const [command = '', ...words] = line
      .replace('DMPXXXXXXXXXX', title)
      .replace('dmp.clinic.example 11112', `127.0.0.1 ${server.dicomNode.port}`)
      .replace('scan.dcm', join(folder, 'scan.dcm'))
      .split(' ')
    const { stdout, stderr } = await run(command, words, { cwd })
    if (command === 'findscu') expect(stdout + stderr).toContain('1.98')
  }
  expect((await readFolder('recipe')).map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(['1.98.1.1'])
})
