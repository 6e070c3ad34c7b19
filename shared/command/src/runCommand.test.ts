import { runCommand } from './runCommand.ts'

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  for (const name of ['log', 'error'] as const)
    jest.spyOn(console, name).mockImplementation((...line: unknown[]) => void printed.push(line.join(' ')))
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
})
afterEach(() => void jest.restoreAllMocks())

describe('dmp', () => {
  it.each([
    ['--help', 0],
    ['help', 0],
  ])('%s says what there is, with exit code %i', async (word, code) => {
    expect(await runCommand([word])).toBe(code)
    expect(printed.join('\n')).toContain('dmp release <command>')
  })

  it.each([
    ['nothing', [], /dmp dev --host/],
    ['an unknown command', ['deploy', 'remote-scan'], /There is no command deploy\./],
    ['an unknown option', ['check', '--fast'], /Unknown option '--fast'/],
    ['too much', ['check', 'remote-scan', 'now'], /Unexpected argument now\./],
    ['a remote that is not here', ['check', 'remote-nothing'], /Name one of the remotes here: remote-account, /],
    [
      'dev without a deployment',
      ['dev', 'remote-scan'],
      /Name the deployment whose pages get the remote: dmp dev --host/,
    ],
  ])('does not understand %s: exit code 2 and a sentence', async (_what, words, sentence) => {
    expect(await runCommand(words)).toBe(2)
    expect(printed.join('\n')).toMatch(sentence)
  })

  it('release delivers nothing quietly where no deployment is named: exit code 2', async () => {
    jest.replaceProperty(process, 'env', { ...process.env, DMP_RELEASE_TO: ' ', DMP_RELEASES: '' })
    expect(await runCommand(['release', 'publish', 'remote-scan'])).toBe(2)
    expect(printed.join('\n')).toContain('Name the deployment: DMP_RELEASE_TO, or --to')
  })

  it('release --help speaks of itself, with exit code 0', async () => {
    expect(await runCommand(['release', '--help'])).toBe(0)
    expect(printed.join('\n')).toContain('dmp release <command> [part]')
    // Without a store nobody can use it, however it is called.
    expect(printed.join('\n')).toMatch(/^ {2}canary +\S/m)
    expect(printed.join('\n')).not.toMatch(/^ {2}(?:trust|names|sbom|key add)\b/m)
  })
})
