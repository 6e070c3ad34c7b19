import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { part10Start } from '@dmp/dimse/elementWriter'
import { Copies, keyFileName } from './Copies.ts'
import type { Found } from './dicomFile.ts'
import { ctClass, sliceBytes } from './gateway/deviceInTests.ts'
import type { Outcome } from './send.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-copies-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', transferSyntaxUID: '1.2.840.10008.1.2.1' }
const put = (name: string, content = Buffer.concat([part10Start(head), sliceBytes(1)])): Found => {
  writeFileSync(path.join(folder, name), content)
  return { path: path.join(folder, name), size: content.length, modifiedMs: 0 }
}
const lying = () => readdirSync(path.join(folder, 'deidentified'))
const stored: Outcome = { kind: 'stored' }
const later: Outcome = { kind: 'later', reason: 'Connection lost.' }

describe('de-identified copies', () => {
  it.each<[string, readonly Outcome[], boolean, number]>([
    ['was stored', [stored], true, 0],
    ['was refused', [{ kind: 'refused', reason: 'Too deep.' }], true, 0],
    ['is to be sent again from its beginning', [later], false, 0],
    ['goes on where its upload stopped', [later], true, 1],
    ['nothing was said of, whose upload goes on', [], true, 1],
    ['nothing was said of', [], false, 0],
  ])(
    'lie here only until the next try goes on with them: one that %s [P80]',
    async (_what, outcomes, isBegun, count) => {
      const copies = new Copies(folder)
      const file = put('a.dcm')
      const told = await copies.send(
        [file],
        async () => outcomes,
        () => isBegun,
      )
      expect([lying().length, copies.isCopied(file), copies.isCopied(put('b.dcm'))]).toEqual([count, true, false])
      expect(told).toEqual(
        outcomes.length > 0 ? outcomes : [{ kind: 'later', reason: 'Nothing was said of this file.' }],
      )
    },
  )

  it('are gone also where sending them ended the run, but for one that goes on [P80]', async () => {
    const copies = new Copies(folder)
    const fails = () => Promise.reject(new Error('This account may not upload.'))
    await expect(copies.send([put('a.dcm')], fails, () => false)).rejects.toThrow('may not upload')
    expect(lying()).toEqual([])
    await expect(copies.send([put('a.dcm')], fails, () => true)).rejects.toThrow('may not upload')
    expect(lying()).toHaveLength(1)
    const sent: string[] = []
    await copies.send(
      [put('a.dcm')],
      async (files) => files.map((file) => (sent.push(file.path), stored)),
      () => true,
    )
    expect(sent.map((file) => path.dirname(file))).toEqual([path.join(folder, 'deidentified')])
  })

  it('are sent, each with its outcome, past what is none and what is gone, of which nothing is sent [P80]', async () => {
    const copies = new Copies(folder)
    const gone = { path: path.join(folder, 'gone.dcm'), size: 1, modifiedMs: 0 }
    const files = [put('none.dcm', Buffer.from('no DICOM file')), gone, put('a.dcm'), put('b.dcm')]
    const counts: number[] = []
    const send = async (sent: readonly Found[]): Promise<readonly Outcome[]> => {
      counts.push(sent.length)
      return [stored, later]
    }
    expect(await copies.send(files, send, () => false)).toEqual([
      {
        kind: 'refused',
        reason: expect.stringContaining('It cannot be de-identified, and was not sent: '),
        code: 'NOT_DEIDENTIFIED',
      },
      { kind: 'later', reason: expect.stringContaining('ENOENT') },
      stored,
      later,
    ])
    await copies.send(files.slice(0, 2), send, () => false)
    expect(counts).toEqual([2])
  })

  it('of an upload that its server has forgotten, and what is half made, are gone at the next start [P80]', () => {
    const place = path.join(folder, 'deidentified')
    mkdirSync(place)
    const daysMs = 24 * 3_600_000
    for (const [name, days] of [
      ['.half', 0],
      ['new.dcm', 6.9],
      ['old.dcm', 7.1],
    ] as const) {
      writeFileSync(path.join(place, name), '')
      const at = new Date(Date.now() - days * daysMs)
      utimesSync(path.join(place, name), at, at)
    }
    new Copies(folder)
    expect(lying()).toEqual(['new.dcm'])
  })

  it.each([
    ['cannot be written', () => mkdirSync(path.join(folder, keyFileName)), /is damaged|EISDIR/],
    ['is damaged', () => writeFileSync(path.join(folder, keyFileName), 'abcd\n'), /is damaged.*Put its copy back/],
  ])('are not made where their key %s: the run ends [P80]', async (_what, go, words) => {
    go()
    const copies = new Copies(folder)
    const send = jest.fn()
    await expect(copies.send([put('a.dcm')], send, () => false)).rejects.toThrow(words)
    expect([send.mock.calls.length, existsSync(path.join(folder, 'a.dcm'))]).toEqual([0, true])
  })
})
