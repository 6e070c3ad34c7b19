import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './gateway/deviceInTests.ts'
import { startUploader } from './processesInTests.ts'
import { Receiver } from './receiverInTests.ts'

// Objects of a real scanner, changed by dcmtk, sent by its storescu to the gateway; dcmtk reads what left.
const run = promisify(execFile)
/** Debian's pydicom brings it: a slice of a GE scanner, with private elements. */
const sampleName = 'CT_small.dcm'
let folder: string
let receiver: Receiver
let port: number
let running: ReturnType<typeof startUploader>

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-deidentify-dcmtk-'))
  receiver = await new Receiver().listen()
  port = await freePort()
  const gateway = {
    aeTitle: 'DMP_GATEWAY',
    port,
    host: '127.0.0.1',
    reserveGigabytes: 0,
    partners: [{ aeTitle: 'CT' }],
  }
  const settings = path.join(folder, 'settings.json')
  writeFileSync(settings, JSON.stringify({ gateway, deidentify: true, lookEverySeconds: 1 }), { mode: 0o600 })
  running = startUploader(['--watch', '--config', settings, '--state', path.join(folder, 'state')], folder, {
    HOME: folder,
    UPLOADER_SERVER: receiver.address,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
  })
  await untilDone(() =>
    run('echoscu', ['-aet', 'CT', '-aec', 'DMP_GATEWAY', '127.0.0.1', String(port)]).then(
      () => true,
      () => false,
    ),
  )
}, 60_000)
afterAll(async () => {
  running.process.kill('SIGTERM')
  await running.end
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

async function untilDone(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await wait(100)
}

/** What a person would look for, in places where devices write it; the rest is what the scanner wrote. */
const planted = [
  ['(0008,0005)', 'ISO_IR 100'],
  ['(0008,0050)', 'ACC-730021'],
  ['(0008,0080)', 'Brackenhospital'],
  ['(0008,0090)', 'Quillfeather^Otto'],
  ['(0008,103e)', 'Brain of Canarybird'],
  ['(0010,0010)', 'Canarybird^Tildaline'],
  ['(0010,0020)', 'PID-48213377'],
  ['(0010,0030)', '19530417'],
  ['(0010,1040)', 'Larkspurlane 17'],
  ['(0010,2154)', '030 5550171'],
  ['(0010,4000)', 'Sister of Wrenfield'],
  ['(0032,1032)', 'Thistlewood^Ada'],
  ['(0008,1140)[0].(0008,1155)', '1.2.826.0.1.3680043.9.7777.4'],
  ['(0040,0275)[0].(0040,1001)', 'RQ-7712399'],
  ['(0009,0010)', 'PLANTED MAKER'],
  ['(0009,1001)', 'privately Canarybird'],
] as const

/** An element of a dump of dcmtk, without what stands before it in items. */
const elementPattern = /^\(([0-9a-f]{4}),([0-9a-f]{4})\) (..) (.*)$/
const listElements = (dump: string): string[][] =>
  dump.split('\n').flatMap((line) => {
    const found = elementPattern.exec(line.trim())
    return found ? [found.slice(1)] : []
  })
const toText = (shown = ''): string => (shown.startsWith('[') ? shown.slice(1, shown.lastIndexOf(']')) : '')

/** Dates and UIDs of an object as dcmtk reads them, without those that DICOM registered. */
async function listValues(file: string): Promise<string[]> {
  const { stdout } = await run('dcmdump', ['-q', '+L', file])
  return listElements(stdout)
    .filter(([, , vr = '']) => ['DA', 'DT', 'UI'].includes(vr))
    .map(([, , , shown]) => toText(shown))
}

const isIdentifying = (value: string): boolean =>
  (/^\d{8}$/.test(value) || /^[0-9.]{12,}$/.test(value)) && !value.startsWith('1.2.840.10008.')

it('lets nothing of real objects leave, plain or compressed, and dcmtk reads the copies [P80]', async () => {
  const files: string[] = []
  const find = `from pydicom.data import get_testdata_file as find; print(find('${sampleName}'))`
  const sample = (await run(process.env.TEST_PYTHON ?? '/usr/bin/python3', ['-c', find])).stdout.trim()
  mkdirSync(path.join(folder, 'scans'))
  for (const at of [1, 2, 3]) {
    const file = path.join(folder, 'scans', `${at}.dcm`)
    cpSync(sample, file)
    const changes = planted.flatMap(([key, value]) => ['-i', `${key}=${value}`])
    const uid = `1.2.826.0.1.3680043.9.7777.9.${at}`
    await run('dcmodify', ['-q', '-nb', '-ie', ...changes, '-m', `(0008,0018)=${uid}`, '-i', `(0020,0013)=${at}`, file])
    files.push(file)
  }
  await run('dcmcrle', [files[1]!, files[1]!])
  await run('dcmconv', ['+td', files[2]!, files[2]!])
  const values = (await Promise.all(files.map(listValues))).flat()
  await run('storescu', ['-xr', '-aet', 'CT', '-aec', 'DMP_GATEWAY', '127.0.0.1', String(port), files[1]!])
  await run('storescu', ['-xd', '-aet', 'CT', '-aec', 'DMP_GATEWAY', '127.0.0.1', String(port), files[2]!])
  await run('storescu', ['-aet', 'CT', '-aec', 'DMP_GATEWAY', '127.0.0.1', String(port), files[0]!])
  await untilDone(() => receiver.objects.length === files.length)
  const words = [...planted.slice(1).map(([, value]) => value), ...values.filter(isIdentifying)]
  expect(words.length).toBeGreaterThan(20)
  // Also inside the deflated copy, which dcmtk inflates.
  const places = receiver.objects.map((object, at) => {
    const file = path.join(folder, `left-${at}.dcm`)
    writeFileSync(file, object)
    return file
  })
  const dumps = await Promise.all(places.map(async (file) => (await run('dcmdump', ['+L', file])).stdout))
  const left = `${receiver.heard().toString('latin1')}\n${dumps.join('\n')}`.toLowerCase()
  expect(words.filter((word) => left.includes(word.toLowerCase()))).toEqual([])
  for (const dump of dumps) {
    expect(dump).toContain('(0012,0062) CS [YES]')
    // Nothing private.
    expect(listElements(dump).filter(([group = '']) => Number.parseInt(group, 16) % 2 === 1)).toEqual([])
  }
  // The same study, series and patient in each; three objects.
  const of = (key: string): Set<string | undefined> =>
    new Set(
      dumps.map((dump) => toText(listElements(dump).find(([group, element]) => key === `${group},${element}`)?.[3])),
    )
  expect(['0020,000d', '0020,000e', '0010,0020', '0008,0018'].map((key) => of(key).size)).toEqual([1, 1, 1, 3])
}, 120_000)
