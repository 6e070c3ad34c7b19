import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readOptions } from './options.ts'
import { readSettings, serverAddress } from './settings.ts'

describe('the settings of the uploader', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'uploader-settings-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (text: string, mode = 0o600) => {
    const file = path.join(folder, 'dmp-uploader.json')
    writeFileSync(file, text)
    chmodSync(file, mode)
  }
  const read = (words: string[] = [], environment: Record<string, string> = {}) =>
    readSettings(readOptions(words), environment, folder)

  it('come from the command line, then the environment, then the file beside the program [2.41]', () => {
    write(
      JSON.stringify({
        server: 'https://file.example',
        email: 'file@x.example',
        password: 'p',
        folders: ['/from-file'],
        watch: true,
        atOnce: 2,
      }),
    )
    expect(read()).toMatchObject({
      email: 'file@x.example',
      password: 'p',
      folders: [path.resolve('/from-file')],
      isWatching: true,
      atOnce: 2,
    })
    expect(read([], { UPLOADER_EMAIL: 'env@x.example', UPLOADER_PASSWORD: 'q' })).toMatchObject({
      email: 'env@x.example',
      password: 'q',
    })
    const asked = read(['--server', 'https://line.example', '--email', 'line@x.example', 'in'], {
      UPLOADER_EMAIL: 'env@x.example',
      UPLOADER_SERVER: 'https://env.example',
    })
    expect(asked).toMatchObject({ email: 'line@x.example', folders: [path.resolve('in')] })
    expect(asked.server?.href).toBe('https://line.example/')
  })

  it('take an API token from the environment or the file, unless the command line names an account [P35]', () => {
    write('{"apiToken":"dmp_file"}', 0o644)
    expect(read()).toMatchObject({ apiToken: 'dmp_file', warnings: [expect.stringContaining('holds a secret')] })
    expect(read([], { UPLOADER_API_TOKEN: 'dmp_env' }).apiToken).toBe('dmp_env')
    expect(read(['--email', 'a@x.example'], { UPLOADER_API_TOKEN: 'dmp_env' }).apiToken).toBeUndefined()
  })

  it('take the API token that is kept for their own server, and for no other, nor beside another account [P35]', () => {
    const state = path.join(folder, 'state')
    mkdirSync(state)
    const keep = (kept: object) =>
      writeFileSync(path.join(state, 'dmp-uploader.json'), JSON.stringify(kept), { mode: 0o600 })
    keep({ server: 'https://dmp.example', apiToken: 'dmp_kept' })
    const readWith = (own: object, words: string[] = [], environment = {}) => {
      write(JSON.stringify(own))
      const { apiToken, server } = read(['--state', state, ...words], environment)
      return [apiToken, server?.host]
    }
    expect(readWith({})).toEqual(['dmp_kept', 'dmp.example'])
    expect(readWith({ server: 'https://dmp.example' })).toEqual(['dmp_kept', 'dmp.example'])
    expect(readWith({ server: 'https://other.example' })).toEqual([undefined, 'other.example'])
    for (const same of ['https://dmp.example/', 'dmp.example', 'DMP.example'])
      expect(readWith({}, ['--server', same])).toEqual(['dmp_kept', 'dmp.example'])
    expect(readWith({}, ['--server', 'https://other.example'])).toEqual([undefined, 'other.example'])
    expect(readWith({}, [], { UPLOADER_SERVER: 'https://other.example' })).toEqual([undefined, 'other.example'])
    expect(readWith({ apiToken: 'dmp_own' })[0]).toBe('dmp_own')
    // So is one that stands in the settings file beside its server.
    const own = { server: 'https://own.example', apiToken: 'dmp_own' }
    expect(readWith(own, ['--server', 'own.example'])).toEqual(['dmp_own', 'own.example'])
    expect(readWith(own, ['--server', 'https://other.example'])).toEqual([undefined, 'other.example'])
    expect(readWith(own, ['--server', 'other.example'], { UPLOADER_API_TOKEN: 'dmp_env' })[0]).toBe('dmp_env')
    expect(readWith({ email: 'a@x.example', password: 'p' })[0]).toBeUndefined()
    keep({ apiToken: 'dmp_kept' })
    expect(readWith({}, ['--server', 'dmp.example'])).toEqual(['dmp_kept', 'dmp.example'])
    expect(readWith({ server: 'dmp.example' })).toEqual([undefined, 'dmp.example'])
  })

  it('warn of a file with a password that others can read [2.41, P23]', () => {
    write('{"password":"p"}', 0o644)
    expect(read().warnings).toEqual([expect.stringMatching(/can be read by other users.*chmod 600/)])
    write('{"password":"p"}', 0o600)
    expect(read().warnings).toEqual([])
    write('{"email":"a@x.example"}', 0o644)
    expect(read().warnings).toEqual([])
  })

  it.each<[string, RegExp]>([
    ['{"passwrod":"secret-word"}', /"passwrod".*Choose one of: server/],
    ['{"password":"secret-word",}', /not valid JSON/],
    ['[]', /must contain an object/],
    ['null', /must contain an object/],
    ['5', /must contain an object/],
    ['{"folders":"/scans"}', /"folders".*list/],
    ['{"folders":[5]}', /"folders".*list/],
    ['{"atOnce":0}', /"atOnce".*1 to 16/],
    ['{"atOnce":"4"}', /"atOnce".*1 to 16/],
    ['{"lookEverySeconds":3601}', /"lookEverySeconds".*1 to 3600/],
    ['{"atOnce":100}', /"atOnce".*1 to 16/],
    ['{"deidentify":"no"}', /"deidentify" should be true or false/],
    ['{"deidentify":0}', /"deidentify" should be true or false/],
    ...[
      { kilobytesPerSecond: 9, from: '07:00', to: '18:00' },
      { kilobytesPerSecond: 1_000_001, from: '07:00', to: '18:00' },
      { kilobytesPerSecond: '500', from: '07:00', to: '18:00' },
      { kilobytesPerSecond: 500, from: '7:00', to: '18:00' },
      { kilobytesPerSecond: 500, from: '07:00', to: '24:00' },
      { kilobytesPerSecond: 500, from: '07:00' },
      { kilobytesPerSecond: 500, from: 7, to: '18:00' },
    ].map((slower): [string, RegExp] => [JSON.stringify({ slower }), /"slower" should be .* with 10 to 1000000/]),
  ])('say what is wrong with %s, without its secrets [2.41, P23]', (text, words) => {
    write(text)
    expect(() => read()).toThrow(words)
    expect(() => read()).not.toThrow(/secret-word/)
  })

  it('may reach both ends of their range, and count for nothing where they are empty [2.41]', () => {
    write('{"atOnce":1,"lookEverySeconds":1,"email":"","server":7}')
    expect(read()).toMatchObject({ atOnce: 1, lookEverySeconds: 1, email: undefined, server: undefined })
    write('{"atOnce":16,"lookEverySeconds":3600}')
    expect(read()).toMatchObject({ atOnce: 16, lookEverySeconds: 3600, isWatching: false })
    for (const kilobytesPerSecond of [10, 1_000_000]) {
      write(JSON.stringify({ slower: { kilobytesPerSecond, from: '07:00', to: '18:00' } }))
      expect(read().slower).toEqual({ kilobytesPerSecond, from: '07:00', to: '18:00' })
    }
    for (const [text, isDeidentifying] of [
      ['true', true],
      ['false', false],
      ['null', false],
    ] as const) {
      write(`{"deidentify":${text},"slower":null}`)
      expect(read()).toMatchObject({ isDeidentifying, slower: undefined })
    }
    write(JSON.stringify({ name: 'x'.repeat(61) }))
    expect(read().name).toBe('x'.repeat(60))
  })

  it('are taken from the file that was named, which has to be there [2.41]', () => {
    const named = path.join(folder, 'other.json')
    expect(() => read(['--config', named])).toThrow(`The settings file does not exist: ${named}.`)
    writeFileSync(named, '{"email":"other@x.example"}')
    expect(read(['--config', named]).email).toBe('other@x.example')
  })

  it('take https, and http on this machine only [2.41]', () => {
    expect(serverAddress('dmp.clinic.example').href).toBe('https://dmp.clinic.example/')
    expect(serverAddress('http://localhost:4000/scan').href).toBe('http://localhost:4000/')
    for (const open of ['http://dmp.clinic.example', 'ftp://localhost', 'file://localhost/x'])
      expect(() => serverAddress(open)).toThrow(/in the open. Use https:/)
    for (const who of ['user:pw', 'user', ':pw'])
      expect(() => serverAddress(`https://${who}@dmp.clinic.example`)).toThrow(/does not belong in the address/)
    expect(() => serverAddress('https://')).toThrow(/is not an address/)
  })
})
