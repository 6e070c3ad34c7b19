import { randomBytes } from 'node:crypto'
import { openAsBlob, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { dicomFile, slice, text, u16 } from '../../server/src/dicom/testing/dicomFile.ts'
import { filesBelow } from '../../uploader/src/dicomFile.ts'
import { Journal } from '../../uploader/src/journal.ts'
import { Log } from '../../uploader/src/log.ts'
import { RunOutcomes } from '../../uploader/src/RunOutcomes.ts'
import { sendBatch, usualBatch, type Batch } from '../../uploader/src/sendBatch.ts'
import { largeBytes, sendLarge } from '../../uploader/src/sendLarge.ts'
import type { Entry } from '../../uploader/src/Session.ts'
import { upload } from '../../uploader/src/upload.ts'
import { openSlowLine } from './slowLine.ts'

const usualAtOnce = 4
const oneByOne: Batch = { files: 1, bytes: usualBatch.bytes }

export interface UploaderPace {
  /** Files a second: one in a request and one at a time, one in a request on the usual lanes, and as it is. */
  readonly single: number
  readonly lanes: number
  readonly batches: number
  /** Megabytes a second of large files, and of the same bytes without a protocol, over the same line. */
  readonly large: number
  readonly line: number
}

export interface PaceOptions {
  readonly server: string
  readonly token: string
  readonly folder: string
  readonly files: number
  readonly kilobytes: number
  readonly largeMegabytes: number
  readonly lineMegabytesPerSecond: number
  readonly roundTripMs: number
}

/** The uploader's own way of a file, in this process, over a line of known speed. */
export async function measureUploader(options: PaceOptions): Promise<UploaderPace> {
  const { server, token, folder, files, kilobytes, largeMegabytes, lineMegabytesPerSecond, roundTripMs } = options
  const line = await openSlowLine(server, { up: lineMegabytesPerSecond, roundTripMs })
  const send = async (count: number, bytes: number, batch: Batch, atOnce: number): Promise<number> => {
    const below = mkdtempSync(join(folder, 'uploader-'))
    writeSeries(join(below, 'files'), count, bytes)
    const seconds = await sendFolder(new URL(line.url), token, below, batch, atOnce)
    rmSync(below, { recursive: true })
    return seconds
  }
  const pace = async (batch: Batch, atOnce: number): Promise<number> =>
    files / (await send(files, kilobytes * 1024, batch, atOnce))
  try {
    const bytes = largeMegabytes * 2 ** 20
    return {
      single: await pace(oneByOne, 1),
      lanes: await pace(oneByOne, usualAtOnce),
      batches: await pace(usualBatch, usualAtOnce),
      large: (2 * bytes) / (await send(2, bytes, usualBatch, usualAtOnce)) / 1e6,
      line: await measureLine(folder, 2 * bytes, lineMegabytesPerSecond, roundTripMs),
    }
  } finally {
    line.close()
  }
}

function writeSeries(folder: string, count: number, bytes: number): void {
  mkdirSync(folder)
  const pixels = randomBytes(bytes)
  const series = `2.25.${BigInt(`0x${randomBytes(12).toString('hex')}`)}`
  // Rows of at most 65,535: a large file is an image of many frames.
  const [columns, frames] = [bytes > 2 ** 20 ? 1024 : 64, Math.max(1, Math.floor(bytes / 2 ** 20))]
  for (let number = 1; number <= count; number += 1) {
    const object = dicomFile({
      elements: slice({
        '00080018': text('UI', `${series}.${number}`),
        '0020000D': text('UI', `${series}.0`),
        '0020000E': text('UI', series),
        '00200013': text('IS', String(number)),
        ...(frames > 1 && { '00280008': text('IS', String(frames)) }),
        '00280010': u16(Math.floor(bytes / frames / 2 / columns)),
        '00280011': u16(columns),
        '7FE00010': { vr: 'OW', value: pixels },
      }),
    })
    writeFileSync(join(folder, `${number}.dcm`), object)
  }
}

/** Seconds for all of it. Throws where something was not stored. */
async function sendFolder(server: URL, token: string, below: string, batch: Batch, atOnce: number): Promise<number> {
  const session: Entry = {
    name: 'bench',
    token: () => Promise.resolve(token),
    ready: () => Promise.resolve({ kind: 'ready', token }),
    reject: () => undefined,
    signOut: () => Promise.resolve(),
  }
  const journal = new Journal(join(below, 'journal'))
  const tally = new RunOutcomes()
  const { signal } = new AbortController()
  const began = performance.now()
  await upload(
    filesBelow([join(below, 'files')], () => undefined),
    {
      journal,
      tally,
      log: new Log(undefined),
      send: async (files) => {
        const [file] = files
        return file && files.length === 1 && file.size >= largeBytes
          ? [await sendLarge(file, { session, server, journal, signal })]
          : sendBatch(session, server, files, signal)
      },
      atOnce,
      batch,
      again: false,
      isDryRun: false,
      settleMs: 0,
      signal,
      pausesMs: [],
      rest: () => Promise.resolve(),
    },
  )
  const seconds = (performance.now() - began) / 1000
  journal.close()
  const [problem] = [...tally.refused, ...tally.failed]
  if (problem) throw new Error(`${problem.path}: ${problem.reason}`)
  return seconds
}

/** Megabytes a second of one request that is nothing but these bytes. */
async function measureLine(folder: string, bytes: number, megabytesPerSecond: number, ms: number): Promise<number> {
  const sink = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done))
  const { port } = sink.address() as AddressInfo
  const line = await openSlowLine(`http://127.0.0.1:${port}`, { up: megabytesPerSecond, roundTripMs: ms })
  const file = join(folder, 'line')
  writeFileSync(file, randomBytes(bytes))
  const began = performance.now()
  await (await fetch(line.url, { method: 'POST', body: await openAsBlob(file) })).text()
  const seconds = (performance.now() - began) / 1000
  line.close()
  sink.close()
  rmSync(file)
  return bytes / seconds / 1e6
}
