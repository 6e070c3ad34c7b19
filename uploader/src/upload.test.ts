import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filesBelow, isDicom, type Found } from './dicomFile.ts'
import { Journal } from './journal.ts'
import { Log } from './log.ts'
import type { Outcome } from './send.ts'
import { Stop } from './stop.ts'
import { RunOutcomes } from './RunOutcomes.ts'
import { upload, type Work } from './upload.ts'

const dicom = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM and more')])

describe('sending a folder', () => {
  let folder: string
  let journal: Journal
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'uploader-upload-'))
    journal = new Journal(path.join(folder, '.state', 'a.jsonl'))
  })
  afterEach(() => {
    journal.close()
    rmSync(folder, { recursive: true })
  })

  const put = (name: string, content: Buffer | string = dicom) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  const run = async (send: (name: string) => Outcome | Promise<Outcome>, more: Partial<Work> = {}) => {
    const tally = new RunOutcomes()
    const sent: string[] = []
    const work: Work = {
      journal,
      tally,
      log: new Log(undefined),
      atOnce: 1,
      again: false,
      isDryRun: false,
      settleMs: 0,
      signal: new AbortController().signal,
      pausesMs: [0, 0],
      rest: () => Promise.resolve(),
      batch: { files: 1, bytes: 2 ** 20 },
      send: (files: readonly Found[]) =>
        Promise.all(
          files.map(async (file) => {
            sent.push(path.relative(folder, file.path))
            return send(path.basename(file.path))
          }),
        ),
      ...more,
    }
    await upload(
      filesBelow([folder], (place) => tally.unreadable.push(place)),
      work,
    )
    return { tally, sent }
  }
  const yes = (): Outcome => ({ kind: 'stored' })

  it('sends what is DICOM, in order, and nothing else [2.41]', async () => {
    for (const name of ['b/10.dcm', 'b/9.dcm', 'a', 'DICOMDIR', '.hidden']) put(name)
    put('notes.txt', 'hello '.repeat(50))
    put('short', 'x')
    symlinkSync('/etc', path.join(folder, 'link'))
    const { tally, sent } = await run(yes)
    expect(sent).toEqual(['a', 'b/9.dcm', 'b/10.dcm'])
    expect(tally.counts).toEqual({ stored: 3, duplicate: 0, refused: 0, 'not-dicom': 3 })
    expect(await isDicom(path.join(folder, 'a'))).toBe(true)
  })

  it('names what is called DICOM and is none, and does not call that clean [2.41]', async () => {
    put('empty.dcm', '')
    put('noise.IMA', 'x'.repeat(400))
    put('notes.txt', 'x'.repeat(400))
    const { tally, sent } = await run(yes)
    expect([sent, tally.isClean, tally.counts['not-dicom']]).toEqual([[], false, 1])
    expect(tally.refused).toEqual([
      { path: path.join(folder, 'empty.dcm'), reason: 'The file is empty.' },
      { path: path.join(folder, 'noise.IMA'), reason: expect.stringMatching(/^By its name this is a DICOM file/) },
    ])
    expect((await run(yes)).tally.refusedBefore).toHaveLength(2)
  })

  it('sends nothing twice, but what has changed and what is asked for again [2.41]', async () => {
    put('a')
    put('b')
    await run(yes)
    expect((await run(yes)).sent).toEqual([])
    put('b', Buffer.concat([dicom, dicom]))
    expect((await run(yes)).sent).toEqual(['b'])
    expect((await run(yes, { again: true })).sent).toEqual(['a', 'b'])
  })

  it('tries again when the line breaks, then leaves the file for the next run [2.41, P28]', async () => {
    put('a')
    put('b')
    let tries = 0
    const { tally, sent } = await run((name) =>
      name === 'a' && (tries += 1) < 3 ? { kind: 'later', reason: 'ECONNRESET' } : { kind: 'stored' },
    )
    expect(sent).toEqual(['a', 'a', 'a', 'b'])
    expect(tally.isClean).toBe(true)
    put('c')
    const broken = await run(() => ({ kind: 'later', reason: 'ECONNRESET' }))
    expect(broken.sent).toEqual(['c', 'c', 'c'])
    expect(broken.tally.failed).toEqual([{ path: path.join(folder, 'c'), reason: 'ECONNRESET' }])
    expect((await run(yes)).sent).toEqual(['c'])
  })

  it('says why a file was refused, and does not send it again as it is [2.41]', async () => {
    put('a')
    const { tally } = await run(() => ({ kind: 'refused', reason: 'The object ends too early.' }))
    expect(tally.summary(false).join('\n')).toMatch(/1 was refused[^]*a: The object ends too early\./)
    const later = await run(yes)
    expect(later.sent).toEqual([])
    expect(later.tally.summary(false).join('\n')).toMatch(/1 was refused before/)
  })

  it('has no more files under way than it may [2.41]', async () => {
    for (let number = 0; number < 12; number += 1) put(`${number}`)
    let now = 0
    let most = 0
    await run(
      async () => {
        now += 1
        most = Math.max(most, now)
        // Long enough that the next ones are read meanwhile, however busy the machine is.
        await new Promise((done) => setTimeout(done, 100))
        now -= 1
        return { kind: 'stored' }
      },
      { atOnce: 3 },
    )
    expect(most).toBe(3)
  })

  it('sends small files together up to a number and a size, and a large one alone [2.41]', async () => {
    for (const name of ['1', '2', '3', '4', '6', '7']) put(name)
    put('5', Buffer.concat([dicom, Buffer.alloc(8 * 2 ** 20)]))
    put('8', Buffer.concat([dicom, Buffer.alloc(700)]))
    put('9', Buffer.concat([dicom, Buffer.alloc(700)]))
    const together: string[] = []
    await run(yes, {
      batch: { files: 3, bytes: 1200 },
      send: (files) => {
        together.push(files.map((file) => path.basename(file.path)).join(' '))
        return Promise.resolve(files.map(yes))
      },
    })
    expect(together).toEqual(['1 2 3', '5', '4 6 7', '8', '9'])
  })

  it('sends again only what of a batch was not settled, and names what was refused [2.41, P20]', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(name)
    let tries = 0
    const { tally, sent } = await run(
      (name) => {
        if (name === 'b') return { kind: 'refused', reason: 'Too deep.' }
        return name === 'c' && (tries += 1) < 3 ? { kind: 'later', reason: 'ECONNRESET' } : { kind: 'stored' }
      },
      { batch: { files: 4, bytes: 2 ** 20 } },
    )
    expect(sent).toEqual(['a', 'b', 'c', 'd', 'c', 'c'])
    expect(tally.counts).toMatchObject({ stored: 3, refused: 1 })
    expect(tally.refused).toEqual([{ path: path.join(folder, 'b'), reason: 'Too deep.' }])
  })

  it('leaves a file alone that is still being written, while watching [2.41]', async () => {
    put('a')
    expect((await run(yes, { settleMs: 60_000 })).sent).toEqual([])
    expect((await run(yes)).sent).toEqual(['a'])
  })

  it('takes a file for finished when nothing was written to it for as long as that, while watching [2.41]', async () => {
    put('a')
    const changed = 1_000_000_000_000
    utimesSync(path.join(folder, 'a'), changed / 1000, changed / 1000)
    const clock = jest.spyOn(Date, 'now')
    clock.mockReturnValue(changed + 1999)
    expect((await run(yes, { settleMs: 2000 })).sent).toEqual([])
    clock.mockReturnValue(changed + 2000)
    expect((await run(yes, { settleMs: 2000 })).sent).toEqual(['a'])
    clock.mockRestore()
  })

  it('sends a file whose disk has a clock that runs ahead [2.41]', async () => {
    put('a')
    const tomorrow = Date.now() / 1000 + 86_400
    utimesSync(path.join(folder, 'a'), tomorrow, tomorrow)
    expect((await run(yes)).sent).toEqual(['a'])
  })

  it('counts the bytes that were sent, and not those that were there [2.41]', async () => {
    for (const name of ['a', 'b', 'c']) put(name, Buffer.concat([dicom, Buffer.alloc(2 ** 20)]))
    const { tally } = await run((name) => ({ kind: name === 'c' ? 'duplicate' : 'stored' }))
    expect(tally.summary(false)).toEqual(['2 files sent (2.0 MB).', '1 was already stored.'])
    expect((await run(yes, { again: true, isDryRun: true })).tally.summary(true)).toEqual([
      '3 files would be sent (3.0 MB).',
    ])
  })

  it('writes down what became of each file, and why [2.41]', async () => {
    for (const name of ['a', 'b', 'c']) put(name)
    const file = path.join(folder, '.state', 'a.log')
    await run(
      (name) =>
        name === 'a'
          ? { kind: 'stored' }
          : name === 'b'
            ? { kind: 'refused', reason: 'Too deep.' }
            : { kind: 'later', reason: 'ECONNRESET' },
      { log: new Log(file), pausesMs: [0] },
    )
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const at = (name: string): string => path.join(folder, name)
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      `stored ${at('a')}`,
      `refused ${at('b')}: Too deep.`,
      `${at('c')}: ECONNRESET Trying again.`,
      `${at('c')}: ECONNRESET Gave up for now.`,
    ])
  })

  it('sends nothing in a dry run, and notes nothing [2.41]', async () => {
    put('a')
    const { tally, sent } = await run(yes, { isDryRun: true })
    expect(sent).toEqual([])
    expect(tally.summary(true)[0]).toMatch(/^1 file would be sent/)
    expect((await run(yes)).sent).toEqual(['a'])
  })

  it('ends at once when the account may not upload, and when it is stopped [2.41]', async () => {
    put('a')
    put('b')
    await expect(run(() => Promise.reject(new Stop('This account may not upload')))).rejects.toThrow('may not upload')
    const stopping = new AbortController()
    const { sent } = await run(
      () => {
        stopping.abort()
        return { kind: 'later', reason: 'AbortError' }
      },
      { signal: stopping.signal },
    )
    expect(sent).toEqual(['a'])
  })

  it('notes a file that came through although it was being stopped [2.41, P20]', async () => {
    put('a')
    const stopping = new AbortController()
    const { tally } = await run(
      () => {
        stopping.abort()
        return { kind: 'stored' }
      },
      { signal: stopping.signal },
    )
    expect(tally.counts.stored).toBe(1)
    expect((await run(yes)).sent).toEqual([])
  })

  it('fills a request to the byte, and begins the next one with what is more [2.41]', async () => {
    const requests = async (size: number) => {
      put('a', Buffer.concat([dicom, Buffer.alloc(1000 - dicom.length)]))
      put('b', Buffer.concat([dicom, Buffer.alloc(size - dicom.length)]))
      const sent: number[] = []
      const send = async (files: readonly Found[]) => (sent.push(files.length), files.map(yes))
      await run(yes, { send, again: true, batch: { files: 9, bytes: 2000 } })
      return sent
    }
    expect([await requests(1000), await requests(1001)]).toEqual([[2], [1, 1]])
  })

  it('begins nothing more while it is paused [2.41, P56]', async () => {
    for (const name of ['a', 'b', 'c']) put(name)
    let isPaused = false
    const { sent } = await run(() => ((isPaused = true), { kind: 'stored' }), { isPaused: () => isPaused })
    expect(sent).toEqual(['a'])
    expect((await run(yes)).sent).toEqual(['b', 'c'])
  })

  it('names places that cannot be read [2.41]', async () => {
    const tally = new RunOutcomes()
    for await (const file of filesBelow([path.join(folder, 'missing')], (place) => tally.unreadable.push(place)))
      throw new Error(file.path)
    expect(tally.summary(false).join('\n')).toMatch(/missing: cannot be read/)
    expect(tally.isClean).toBe(false)
  })
})
