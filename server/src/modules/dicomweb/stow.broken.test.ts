import { readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { stowBody } from '../../testing/stow.ts'
import { startObjectSweep } from '../scan/intake/objectRecovery.ts'
import { server, staff, startWithCallers } from './stowInTests.ts'

let port: number
let incoming: string
beforeAll(async () => {
  await startWithCallers()
  port = Number(new URL(await server.listen()).port)
  incoming = join(server.deps.settings.dataDir, 'incoming')
})
afterAll(() => server.close())

const object = (uid: string, bytes: number): Buffer =>
  dicomFile({
    elements: slice({ '00080018': text('UI', uid), '00204000': text('UT', 'x'.repeat(bytes)) }),
  })

/** Sends so many bytes of the body, and hangs up once `isOver` resolves. */
const breakOff = (body: Buffer, type: string, length: number, isOver: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('close', () => resolve()).on('error', () => undefined)
    socket.write(
      `POST /dicom-web/studies HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: ${staff.headers.authorization}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, length), () => void isOver.then(() => socket.destroy()))
  })

const listOpenFiles = (): string[] =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(incoming)
    } catch {
      return false
    }
  })

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isTrue(); tries += 1) await new Promise((again) => setTimeout(again, 50))
}

describe('a multipart upload that breaks off', () => {
  it('leaves no file, no open file and nothing pending, wherever it broke [P12, P20]', async () => {
    const objects = [object('1.40.1', 60_000), object('1.40.2', 1_200_000), object('1.40.3', 60_000)]
    const { payload, headers } = stowBody(objects)
    const partEnds = objects.map((bytes) => payload.indexOf(bytes) + bytes.length)
    const partStarts = objects.map((bytes) => payload.indexOf(bytes))
    const places = [
      10,
      (partStarts[0] ?? 0) - 12,
      ...[0, 1, 200, 30_000].map((offset) => (partStarts[0] ?? 0) + offset),
      ...[0, 1, 6, 30].map((offset) => (partEnds[0] ?? 0) + offset),
      (partStarts[1] ?? 0) + 1_100_000,
      (partEnds[1] ?? 0) + 8,
      ...[0, 5, 30_000].map((offset) => (partStarts[2] ?? 0) + offset),
    ]
    let pending = 0
    const stage = server.deps.objects.stage.bind(server.deps.objects)
    const spy = jest.spyOn(server.deps.objects, 'stage').mockImplementation((...input) => {
      pending += 1
      return stage(...input).finally(() => {
        pending -= 1
      })
    })
    // 300 in all; by the end of each round the server is in the middle of them, however busy the machine is.
    const rounds = Array.from({ length: 5 }, () => Array.from({ length: 4 }, () => places).flat())
    expect(rounds.flat()).toHaveLength(300)
    for (const connections of rounds) {
      const before = spy.mock.calls.length
      const isUnderWay = until(() => spy.mock.calls.length > before + 60)
      await Promise.all(
        connections.map((length) => breakOff(payload, headers['content-type'] ?? '', length, isUnderWay)),
      )
    }
    await until(() => pending === 0 && readdirSync(incoming).length === 0)
    expect({ pending, files: readdirSync(incoming), open: listOpenFiles() }).toEqual({
      pending: 0,
      files: [],
      open: [],
    })
    expect(spy.mock.calls.length).toBeGreaterThan(300)
    spy.mockRestore()
    const rows = await server.deps.db
      .selectFrom('instances')
      .select('sop_instance_uid')
      .where('sop_instance_uid', 'like', '1.40.%')
      .execute()
    expect(rows).toEqual([])
  })

  it('before a restart is forgotten by the hourly sweep, and one under way is not [P20]', async () => {
    const dayAgo = new Date(Date.now() - 25 * 3_600_000)
    for (const name of ['old.part', 'new.part', 'orphan%2Fkey']) writeFileSync(join(incoming, name), 'x')
    for (const name of ['old.part', 'orphan%2Fkey']) utimesSync(join(incoming, name), dayAgo, dayAgo)
    const sweep = startObjectSweep(server.deps.db, server.deps.objects, () => undefined)
    await sweep.round()
    await sweep.close()
    expect(readdirSync(incoming)).toEqual(['new.part'])
  })
})
