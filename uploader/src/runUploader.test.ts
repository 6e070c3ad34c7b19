import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { runUploader } from './runUploader.ts'
import { exitCodes } from './stop.ts'

const { stdin, platform } = process
const screenIsTTY = process.stderr.isTTY
const questions =
  /^(?:Address of the product|Email of the service user|Password of \S+|Folder with the scans|Press Enter to close)/
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-run-'))
  mkdirSync(path.join(folder, 'in'))
})
afterEach(() => {
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  Object.defineProperty(process, 'platform', { value: platform, configurable: true })
  Object.assign(process.stderr, { isTTY: screenIsTTY })
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name)
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

interface Seat {
  /** Typed one after the other, each when it is asked for. */
  readonly typed?: readonly string[]
  readonly isThere?: boolean
  readonly system?: NodeJS.Platform
  readonly seen?: (text: string) => void
}

/** Runs the program with somebody in front of it, or nobody; says what stood on the screen. */
async function run(
  words: string[],
  environment: Record<string, string> = {},
  { typed = [], isThere = typed.length > 0, system = 'linux', seen }: Seat = {},
) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: isThere })
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true })
  Object.defineProperty(process, 'platform', { value: system, configurable: true })
  Object.assign(process.stderr, { isTTY: isThere || seen !== undefined })
  const waiting = [...typed]
  const asked = new Set<string>()
  let screen = ''
  const show = (text: unknown) => {
    screen += String(text)
    seen?.(String(text))
    const [question] = questions.exec(String(text)) ?? []
    if (question !== undefined && !asked.has(question)) setImmediate(() => keyboard.write(`${waiting.shift() ?? ''}\r`))
    if (question !== undefined) asked.add(question)
    return true
  }
  jest.spyOn(process.stderr, 'write').mockImplementation(show)
  jest.spyOn(process.stdout, 'write').mockImplementation(show)
  const code = await runUploader([...words], environment)
  return { code, screen, asked: [...asked] }
}

const put = (name: string, bytes = 200): void => {
  const file = path.join(folder, 'in', name)
  writeFileSync(file, Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')]))
  truncateSync(file, bytes)
  utimesSync(file, 1_000_000_000, 1_000_000_000)
}
const state = () => ['--state', path.join(folder, 'state')]
const account = () => [...state(), '--server', 'https://dmp.test', '--email', 'service@north.example']
const password = { UPLOADER_PASSWORD: 'canary' }

/** A server that takes everything but what is called so; keeps what it was asked. */
function takingAllBut(refused = 'nothing'): string[] {
  const asked: string[] = []
  const about = (tag: string) => ({
    headers: { 'content-type': 'application/dicom+json' },
    body: { [tag]: { Value: [{}] } },
  })
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (to, init) => {
    const { pathname } = new URL(String(to))
    if (pathname.startsWith('/api/account/'))
      return Response.json({
        data: { accessToken: 'a', refreshToken: 'b', expireDate: new Date(Date.now() + 900_000).toISOString() },
      })
    // What the server says of itself, and is told of the station, is no upload.
    if (/^\/(?:downloads\/uploader|api\/Station)\//.test(pathname)) return Response.json({}, { status: 404 })
    asked.push(`${init?.method} ${pathname}`)
    if (pathname === '/api/Scan/uploads')
      return new Response(null, { status: 201, headers: { location: '/api/Scan/uploads/one' } })
    const { headers, body } = about(asked.at(-1) === refused ? '00081198' : '00081199')
    return Response.json(body, { headers })
  })
  return asked
}

describe('the uploader asks', () => {
  it('for whatever it was not told, and shows all of it but the password [2.41, P23]', async () => {
    put('a.dcm')
    const { code, screen, asked } = await run(
      ['--dry-run', ...state()],
      {},
      { typed: ['https://dmp.test', 'service@north.example', 'canary', `"${path.join(folder, 'in')}"`] },
    )
    expect(asked).toEqual([
      'Address of the product',
      'Email of the service user',
      'Password of service@north.example:',
      'Folder with the scans',
    ])
    expect(screen).toContain('https://dmp.test')
    expect(screen).toContain('1 file would be sent')
    expect(screen).not.toMatch(/c.?a.?n.?a.?r.?y/s)
    expect(code).toBe(exitCodes.done)
  })

  it('nothing twice: who types nothing is told so [2.41]', async () => {
    const { code, screen } = await run(state(), {}, { typed: ['  '] })
    expect([code, screen.trim().split('\n').at(-1)]).toEqual([exitCodes.usage, 'No input was given.'])
  })

  it('nothing where nobody is there, and says what is missing [2.41]', async () => {
    expect(await run(state())).toMatchObject({
      code: exitCodes.usage,
      asked: [],
      screen: expect.stringContaining('Name the server') as string,
    })
    expect(await run(account(), password)).toMatchObject({
      code: exitCodes.usage,
      asked: [],
      screen: expect.stringContaining('Name a folder to send') as string,
    })
  })

  it.each([
    ['was started by a double click', [], 'win32', true, true],
    ['was started with words', ['--version'], 'win32', true, false],
    ['was started on a system whose windows stay', [], 'linux', true, false],
    ['was started by a schedule', [], 'win32', false, false],
  ] as const)(
    'to close its window when it %s, where that would go unread otherwise [2.41]',
    async (_what, words, system, isThere, isAsked) => {
      expect((await run([...words], {}, { system, isThere })).asked.includes('Press Enter to close')).toBe(isAsked)
    },
  )
})

describe('the uploader sends', () => {
  it('files of eight megabytes and more in parts, smaller ones at once [2.41, P20]', async () => {
    put('1.dcm', 8 * 2 ** 20)
    put('2.dcm', 8 * 2 ** 20 - 1)
    const asked = takingAllBut()
    const { code, screen } = await run([...account(), path.join(folder, 'in')], password)
    expect(new Set(asked)).toEqual(
      new Set(['POST /api/Scan/uploads', 'PATCH /api/Scan/uploads/one', 'POST /dicom-web/studies']),
    )
    expect(asked).toHaveLength(3)
    expect([code, /2 files sent/.test(screen)]).toEqual([exitCodes.done, true])
  })

  it('once more only what it is told to send again [2.41]', async () => {
    put('a.dcm')
    const asked = takingAllBut()
    const words = [...account(), path.join(folder, 'in')]
    const counts: number[] = []
    for (const more of [[], [], ['--again']]) {
      await run([...words, ...more], password)
      counts.push(asked.length)
    }
    expect(counts).toEqual([1, 1, 2])
  })
})

describe('the uploader that watches', () => {
  /** Stops it, as a service is stopped, after so many looks; answers what it had said after the first. */
  async function watch(looks: number, more: readonly string[] = []): Promise<string> {
    let before: string | undefined
    let said = ''
    let seenLooks = 0
    const seen = (text: string) => {
      if (text.startsWith('Watching ')) {
        before ??= said
        seenLooks += 1
        if (seenLooks === looks) process.emit('SIGTERM')
      }
      said += text
    }
    const { code } = await run([...account(), ...more, '--watch', path.join(folder, 'in')], password, { seen })
    expect(code).toBe(exitCodes.done)
    return before ?? ''
  }

  it('says after a look what was sent and what was refused [2.41]', async () => {
    put('1.dcm', 8 * 2 ** 20)
    put('2.dcm')
    takingAllBut('POST /dicom-web/studies')
    expect(await watch(1)).toMatch(/1 file sent \(8\.0 MB\)\.\n[^]*1 was refused/)
  })

  it('sends once more what it is told to send again, and not with every look [2.41]', async () => {
    put('a.dcm')
    const asked = takingAllBut()
    await run([...account(), path.join(folder, 'in')], password)
    const config = path.join(folder, 'settings.json')
    writeFileSync(config, JSON.stringify({ lookEverySeconds: 1 }), { mode: 0o600 })
    await watch(3, ['--again', '--config', config])
    expect(asked).toHaveLength(2)
  })

  it('says nothing of a look that found nothing [2.41]', async () => {
    takingAllBut()
    expect(await watch(1)).not.toMatch(/files? sent/)
  })
})
