import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import sharp from 'sharp'
import { DrawingThread } from './drawingThread.ts'
import { readFrameTable } from './frames.ts'
import { readInstanceBytes } from './instance.ts'
import { pickPictureHeader } from './pictureElements.ts'
import { readPictureFrame } from './pictureFrame.ts'
import { toPictureJob } from './pictureJob.ts'
import { sampleObjects } from './sampleObjects.ts'

/** Runs where `TEST_PYTHON` names a Python with pydicom and gdcm. */
interface Reference {
  readonly path: string
  readonly frames: readonly { readonly file: string; readonly rows: number; readonly columns: number }[]
}

const folder = mkdtempSync(join(tmpdir(), 'dmp-reference-'))
const script = join(import.meta.dirname, 'testing', 'referencePictures.py')
const thread = new DrawingThread(60_000, 1000)
const references = execFileSync(process.env.TEST_PYTHON ?? '/usr/bin/python3', [script, folder, ...sampleObjects()], {
  encoding: 'utf8',
  maxBuffer: 2 ** 24,
  stdio: ['ignore', 'pipe', 'ignore'],
})
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Reference)
  .filter(({ frames }) => frames.length > 0)
afterAll(async () => {
  await thread.close()
  rmSync(folder, { recursive: true })
})

/**
 * Objects that are no reference: one says explicit value representations and has implicit ones, so it is refused as
 * damaged; the code stream of the other was cut to pieces for a test of parsers, and gdcm's picture of it is noise.
 */
const damaged = new Set(['SC_rgb_jpeg.dcm', 'JPEG2000-embedded-sequence-delimiter.dcm'])
const size = { width: 4096, height: 4096 }

async function draw(path: string, frame: number): Promise<Buffer> {
  const { part10, header } = await readInstanceBytes(readFileSync(path))
  const attributes = pickPictureHeader(header)
  const table = await readFrameTable(part10, attributes)
  const pixels = await readPictureFrame(part10.source, table, attributes, size, frame)
  const uid = table.fragments ? table.transferSyntaxUID : explicitLittleEndianUID
  const jpeg = await thread.draw(toPictureJob(attributes, pixels, uid, size))
  return sharp(jpeg).removeAlpha().toColourspace('srgb').raw().toBuffer()
}

it('knows enough objects to be a reference', () => {
  expect(references.length).toBeGreaterThan(100)
  expect(references.flatMap(({ frames }) => frames).length).toBeGreaterThan(120)
})

// A lossy picture blurs edges, so the mean and the middle of the differences count.
it.each(references.map(({ path, frames }) => [basename(path), path, frames] as const))(
  'draws %s as another decoder does',
  async (name, path, frames) => {
    if (damaged.has(name)) return expect(draw(path, 1)).rejects.toThrow()
    for (const [index, { file, rows, columns }] of frames.entries()) {
      const [ours, theirs] = [await draw(path, index + 1), readFileSync(file)]
      expect([ours.length, theirs.length]).toEqual([rows * columns * 3, rows * columns * 3])
      const differences = ours.map((value, at) => Math.abs(value - (theirs[at] ?? 0)))
      expect(differences.reduce((sum, difference) => sum + difference, 0) / ours.length).toBeLessThan(4)
      expect(differences.sort()[differences.length >> 1]).toBeLessThanOrEqual(3)
    }
  },
)
