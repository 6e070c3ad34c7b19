import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { clean } from './deidentifyInTests.ts'
import { createReport } from './deidentify.ts'
import { sampleObjects } from './sampleObjects.ts'

/** Runs where `TEST_PYTHON` names a Python with pydicom and gdcm. */
interface Comparison {
  readonly path: string
  readonly unknown?: string
  readonly isSameShape: boolean
  readonly isLossless: boolean
  readonly isSameColours: boolean
  readonly outside: number
  readonly inside: number
  readonly said: readonly string[]
}

const python = process.env.TEST_PYTHON ?? '/usr/bin/python3'
const scripts = join(import.meta.dirname, 'testing')
const folder = mkdtempSync(join(tmpdir(), 'dmp-masked-'))
const rectangle = { x: 4, y: 3, width: 6, height: 5 }
afterAll(() => rmSync(folder, { recursive: true }))

const run = (script: string, args: readonly string[], input = ''): string =>
  execFileSync(python, [join(scripts, script), ...args], {
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 24,
    stdio: ['pipe', 'pipe', 'ignore'],
  })

/** Refused as damaged, or a stream that was cut to pieces. */
const damaged = new Set(['SC_rgb_jpeg.dcm', 'JPEG2000-embedded-sequence-delimiter.dcm'])

async function maskAll(): Promise<string[]> {
  run('referencePictures.py', [folder])
  const made = readdirSync(folder).filter((name) => name.endsWith('.dcm'))
  const pairs: string[] = []
  for (const path of [...made.map((name) => join(folder, name)), ...sampleObjects()]) {
    if (damaged.has(basename(path))) continue
    const copy = await clean(readFileSync(path), createReport(), { rectangles: [rectangle] }).catch(() => undefined)
    if (!copy?.instance.part10.pixelData) continue
    const masked = join(folder, `${pairs.length}.masked`)
    writeFileSync(masked, copy.bytes)
    pairs.push(`${path}\t${masked}\n`)
  }
  return pairs
}

// Another decoder rounds lossy streams otherwise, and leaves their colours as they are.
it('masks what another decoder sees, and nothing else [P36]', async () => {
  const pairs = await maskAll()
  const { x, y, width, height } = rectangle
  const lines = run('maskedPictures.py', [x, y, width, height].map(String), pairs.join('')).trim().split('\n')
  const compared = lines.map((line) => JSON.parse(line) as Comparison).filter(({ unknown }) => unknown === undefined)
  const exact = compared.filter(({ isLossless, isSameColours }) => isLossless && isSameColours)
  expect(exact.length).toBeGreaterThan(80)
  const wrong = exact.filter(({ isSameShape, outside, inside }) => !isSameShape || outside !== 0 || inside !== 1)
  expect(wrong.map(({ path, ...result }) => [basename(path), result])).toEqual([])
  expect(compared.filter(({ inside }) => inside !== 1).map(({ path }) => basename(path))).toEqual([])
  expect(new Set(compared.map(({ said }) => said.join()))).toEqual(new Set(['NO,DERIVED']))
}, 300_000)
