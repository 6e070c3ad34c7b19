import { help, readOptions } from './options.ts'
import { exitCodes, Stop } from './stop.ts'

const refusal = (words: string[]): unknown => {
  try {
    return readOptions(words)
  } catch (thrown) {
    return thrown instanceof Stop ? thrown : `not a Stop: ${String(thrown)}`
  }
}

describe('the command line of the uploader', () => {
  it('takes folders, server, account and modes [2.41]', () => {
    expect(
      readOptions([
        '--server',
        'https://x.example',
        '--email',
        'a@x.example',
        '--watch',
        '--dry-run',
        '--again',
        'in',
        'more',
      ]),
    ).toMatchObject({
      server: 'https://x.example',
      email: 'a@x.example',
      isWatching: true,
      isDryRun: true,
      again: true,
      folders: ['in', 'more'],
    })
  })

  it('does nothing that was not asked for, and explains itself when asked [2.41]', () => {
    expect(readOptions(['in'])).toMatchObject({
      folders: ['in'],
      isDryRun: false,
      again: false,
      isHelp: false,
      isVersion: false,
    })
    expect(readOptions(['--help', '--version'])).toMatchObject({ isHelp: true, isVersion: true })
  })

  it.each([['--password', 'x'], ['--password=x'], ['-p', '--pass=x'], ['--pw', 'x']])(
    'takes no password, and does not repeat it: %j [2.41, P23]',
    (...words) => {
      const thrown = refusal(words.concat('secret-word'))
      expect(thrown).toMatchObject({ exitCode: exitCodes.usage })
      expect(String(thrown)).toMatch(/password does not belong on the command line/i)
      expect(String(thrown)).not.toContain('secret-word')
    },
  )

  it.each([['--api-token', 'dmp_x'], ['--token=x'], ['--key', 'x'], ['dmp_0123']])(
    'takes no API token, and does not repeat it: %j [P23, P35]',
    (...words) => {
      const thrown = refusal(words)
      expect(thrown).toBeInstanceOf(Stop)
      expect(String(thrown)).toMatch(/API token does not belong on the command line/)
      expect(String(thrown)).not.toContain(words.at(-1))
    },
  )

  it('says what it does not know, and where to read on [2.41]', () => {
    expect(String(refusal(['--bogus']))).toMatch(/--bogus.*--help/)
    expect(String(refusal(['--server']))).toMatch(/--server/)
  })

  it('explains every option and exit code that there is [2.41]', () => {
    for (const name of [
      '--server',
      '--email',
      '--watch',
      '--again',
      '--dry-run',
      '--config',
      '--state',
      '--help',
      '--version',
      'UPLOADER_PASSWORD',
      'UPLOADER_API_TOKEN',
    ])
      expect(help).toContain(name)
    for (const code of [exitCodes.done, exitCodes.notAllSent, exitCodes.usage, exitCodes.notSignedIn])
      expect(help).toMatch(new RegExp(`\\b${code} `))
  })
})
