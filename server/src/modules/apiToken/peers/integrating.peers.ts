import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { apiToken, scan as scanCalls } from '@dmp/contract'
import type { NewApiToken } from '@dmp/contract/apiToken'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { demoPassword } from '../../account/demoAccounts.ts'
import { startOrthanc, type OrthancPeer } from '../../dicomweb/peers/orthancInTests.ts'
import { makeApiToken } from '../apiTokenInTests.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const page = readFileSync(join(root, 'docs/integrating.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```/gm)].flatMap(([, name, code = '']) => (name === language ? [code] : []))

let server: TestServer
let admin: SignedIn
let token: NewApiToken
let address: string
let folder: string
beforeAll(async () => {
  // So that something happens while the page's command waits for changes.
  server = await startServer({ DMP_QUIET_SECONDS: '5' })
  admin = await server.signIn('admin')
  token = await makeApiToken(admin, { addresses: ['127.0.0.1'] })
  address = await server.listen()
  folder = mkdtempSync(join(tmpdir(), 'dmp-integrating-'))
  writeFileSync(join(folder, 'scan.dcm'), scan('1.98.1.1'))
  writeFileSync(join(folder, 'result.dcm'), scan('1.98.2.1'))
  mkdirSync(join(folder, 'scans'))
  writeFileSync(join(folder, 'scans', 'another.dcm'), scan('1.98.1.2'))
  const uploader = join(folder, 'dmp-uploader')
  const program = `"${process.execPath}" --disable-warning=ExperimentalWarning "${join(root, 'uploader/src/main.ts')}"`
  writeFileSync(uploader, `#!/bin/sh\nexec ${program} --state "${folder}/state" "$@"\n`)
  chmodSync(uploader, 0o755)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const scan = (instance: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', instance),
      '0020000D': text('UI', '1.98'),
      '0020000E': text('UI', instance.slice(0, '1.98.1'.length)),
      '00100020': text('LO', 'Quick'),
    }),
  })

/** The page's own placeholders, as its reader replaces them. */
const filled = (code: string): string =>
  code
    .replaceAll('https://dmp.clinic.example', address)
    .replaceAll('dmp_…', token.token)
    .replaceAll('CLIENT_ID=…', `CLIENT_ID=${token.id}`)

/** What each command says, in the order of the page; nothing, where it is empty. */
const answers: readonly string[] = [
  '',
  '"00081199"',
  '',
  '"1.98.1.1"',
  '"seriesUID":"1.98.1"',
  '',
  '"next":',
  '"00081199"',
  '"1.98"',
  '"scope":"read"',
  '/account/device and enter ',
  '',
  '',
  '',
  '\n1 file sent',
  '',
]

/** The administrator of the page: reads the code as soon as the page's command has one. */
async function approveCodeOfPage(over: AbortSignal): Promise<number | undefined> {
  const file = join(folder, 'device.json')
  while (!over.aborted) {
    const told = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const [, code] = /"user_code":"([^"]*)"/.exec(told) ?? []
    if (code !== undefined) {
      const draft = { code, name: 'CT in room 3', scopes: ['read'], password: demoPassword }
      return (await admin.call(apiToken.approveDevice, draft)).status
    }
    await pause(50)
  }
  return undefined
}

it('has commands that all work, in the order of the page [P35, P42, P45]', async () => {
  const scripts = blocks('sh')
  const script = scripts.map((code, at) => `printf '\\n=== ${at}\\n'\n${filled(code)}`)
  const env = { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`, HOME: folder }
  const running = promisify(execFile)('bash', ['-eu', '-c', `exec 2>&1\n${script.join('\n')}`], { cwd: folder, env })
  const over = new AbortController()
  const approved = approveCodeOfPage(over.signal)
  const { stdout } = await running.finally(() => over.abort())
  expect(await approved).toBe(200)
  const said = stdout.split(/\n=== \d+\n/).slice(1)
  expect(said).toHaveLength(answers.length)
  said.forEach((output, at) => {
    const expected = answers[at] ?? ''
    if (expected === '') expect([at, output]).toEqual([at, ''])
    else expect(`\n${output}`).toContain(expected)
  })
  for (const file of ['study.multipart', '1.98.1.multipart'])
    expect(readFileSync(join(folder, file)).includes('1.98.1.1')).toBe(true)
  const left = await server.app.inject({ url: '/dicom-web/studies?PatientID=Quick', headers: admin.headers })
  expect(left.body).not.toContain('1.98')
}, 120_000)

describe('the recipes', () => {
  const chest = (instance: string, part = 'CHEST'): Buffer =>
    dicomFile({
      elements: slice({
        '00080018': text('UI', instance),
        '0020000D': text('UI', instance.split('.').slice(0, 3).join('.')),
        '0020000E': text('UI', instance.split('.').slice(0, 4).join('.')),
        '00080060': text('CS', 'CT'),
        '00180015': text('CS', part),
        '00100020': text('LO', 'Chest'),
        '00100010': text('PN', 'Sample^Anna'),
      }),
    })
  const listSeries = async (study: string): Promise<string[]> => {
    const { body } = await server.app.inject({ url: `/dicom-web/studies/${study}/series`, headers: admin.headers })
    return (JSON.parse(body) as Record<string, { Value?: string[] }>[]).map((one) => one['00080060']?.Value?.[0] ?? '')
  }
  const untilQuiet = async (study: string, times = 1): Promise<void> => {
    const url = '/api/Changes?kinds=SeriesQuiet&since=2020-01-01T00:00:00Z&pageSize=1000'
    const read = async () => (await server.app.inject({ url, headers: admin.headers })).body
    while ((await read()).split(`"${study}"`).length <= times) await pause(200)
  }

  it('in Python fetch each new CT chest once, and send a result back that people can read [P61]', async () => {
    for (const object of [chest('1.97.1.1.1'), chest('1.97.2.1.1', 'HEAD')]) await stow(server, admin, [object])
    for (const study of ['1.97.1', '1.97.2']) await untilQuiet(study)
    // It comes to rest twice, and is fetched once.
    await stow(server, admin, [chest('1.97.1.1.2')])
    await untilQuiet('1.97.1', 2)
    const [recipe = ''] = blocks('python')
    const env = { PATH: '/usr/bin:/bin', DMP: address, TOKEN: token.token }
    const run = async () => (await promisify(execFile)('/usr/bin/python3', ['-c', recipe], { cwd: folder, env })).stdout
    expect(await run()).toBe('1.97.1 2 images, result sent\n')
    expect([(await listSeries('1.97.1')).sort(), await listSeries('1.97.2')]).toEqual([['CT', 'SR'], ['CT']])
    // Nothing new, or nothing but the result itself.
    expect(await run()).toBe('')
    // From the beginning once more, as after a failure in the middle: the same result is stored once.
    rmSync(join(folder, 'cursor.txt'))
    expect(await run()).toBe('1.97.1 2 images, result sent\n')
    expect((await listSeries('1.97.1')).sort()).toEqual(['CT', 'SR'])
    const { data } = await admin.call(scanCalls.listStudies, { search: 'Chest' })
    expect(JSON.stringify(data)).toContain('Chest reader')
  }, 120_000)

  it('for Orthanc fetch new series into it, and send back what it was given [P61]', async () => {
    await stow(server, admin, [chest('1.96.1.1.1'), chest('1.96.1.1.2')])
    await untilQuiet('1.96.1')
    writeFileSync(join(folder, 'orthanc-result.dcm'), chest('1.96.1.9.1'))
    const orthanc = await startOrthanc({ Url: `${address}/dicom-web/`, Username: 'orthanc', Password: token.token })
    try {
      const script = `DMP=${address}\nTOKEN=${token.token}\nORTHANC=${orthanc.url}\n${blocks('orthanc')[0] ?? ''}`
      await promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder })
      const chests = JSON.parse(readFileSync(join(folder, 'chests.json'), 'utf8')) as string[]
      expect(chests.length).toBeGreaterThanOrEqual(1)
      expect(await listSeries('1.96.1')).toHaveLength(2)
    } finally {
      await orthanc.close()
    }
  }, 120_000)
})

it('has a configuration with which Orthanc stores, searches and fetches by Basic [P35]', async () => {
  const [configuration = ''] = blocks('json')
  const { DicomWeb } = JSON.parse(filled(configuration)) as { DicomWeb: { Servers: { dmp: OrthancPeer } } }
  const orthanc = await startOrthanc(DicomWeb.Servers.dmp)
  try {
    const { ID } = await orthanc.call<{ ID: string }>('/instances', scan('1.98.1.3'))
    await orthanc.call('/dicom-web/servers/dmp/stow', { Resources: [ID], Synchronous: true })
    const find = () =>
      orthanc.call<unknown[]>('/dicom-web/servers/dmp/qido', { Uri: '/studies', Arguments: { PatientID: 'Quick' } })
    expect(await find()).toHaveLength(1)
    await orthanc.call(`/instances/${ID}`, undefined, 'DELETE')
    await orthanc.call('/dicom-web/servers/dmp/retrieve', { Resources: [{ Study: '1.98' }], Synchronous: true })
    expect(await orthanc.call<string[]>('/instances')).toEqual([ID])
  } finally {
    await orthanc.close()
  }
}, 120_000)
