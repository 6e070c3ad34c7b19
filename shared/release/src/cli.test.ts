import { release } from './cli.ts'
import { readRegistry } from './store/ReleaseStore.ts'
import { aStore } from './testing/aBuild.ts'
import { captureOutput, defaults, printed, printedJson, storeWithTwoMoves } from './testing/releaseCommand.ts'

captureOutput()

describe('npm run release', () => {
  it('says what is wrong, with exit code 1 for a failure', async () => {
    expect(await release(['status', '--store', aStore().folder], defaults)).toBe(1)
    expect(printed.at(-1)).toMatch(/Nothing is live in this store yet/)
    expect(await release(['publish', 'remote-nothing', '--store', aStore().folder], defaults)).toBe(1)
    expect(printed.at(-1)).toMatch(/^Name a part whose sources are here: host, /)
  })

  it.each([
    [['destroy'], /Unknown command destroy\./],
    [['constructor'], /Unknown command constructor\./],
    [['status', '--jsn'], /Unknown option --jsn\./],
    [['rollback', 'remote-scan', '--reason'], /--reason needs a value/],
    [['rollback', 'remote-scan', 'because'], /Unexpected argument because\./],
    [['rollback', '--reason', '--json'], /--reason needs a value/],
    [['status', '--json=yes'], /--json takes no value/],
    [['figures', 'remote-scan', '--budget', 'foo=3'], /--budget takes pairs such as start=1500/],
    [['canary', 'remote-scan', '--percent', 'all'], /--percent needs a number/],
    [['canary', 'remote-scan', '--percent', '0'], /--percent needs a number above 0 and up to 100/],
    [['canary', 'remote-scan', '--percent', '100.5'], /--percent needs a number above 0 and up to 100/],
  ])('does not understand %j: exit code 2, and what could have been meant', async (words, said) => {
    expect(await release(words, defaults)).toBe(2)
    expect(printed.at(-1)).toMatch(said)
    expect(await release(['--json', ...words], defaults)).toBe(2)
    expect(printedJson()).toMatchObject({ ok: false, error: expect.stringMatching(said) as unknown, refusals: [] })
  })

  it('says what is wrong with nothing below it but where help is', async () => {
    expect(await release(['status', '--jsn'], defaults)).toBe(2)
    expect(printed.at(-1)).toBe('Unknown option --jsn.\nnpm run release -- --help lists what there is.')
  })

  it('helps a team with what it can do without a store, by its own part, and everybody else with everything', async () => {
    expect(await release(['--help'], { ...defaults, store: undefined, part: 'remote-report' })).toBe(0)
    expect(printed.at(-1)).toMatch(/^ {2}publish +remote-report /m)
    expect(printed.at(-1)).toMatch(/^ {2}key new +remote-report /m)
    expect(printed.at(-1)).not.toMatch(/remote-scan|^ {2}(?:trust|names|sbom|key add)\b/m)
    expect(await release(['--help'], defaults)).toBe(0)
    expect(printed.at(-1)).toMatch(/^ {2}trust +remote-scan /m)
  })

  it('wants a deployment or a store where there is neither, and makes no folder [P97]', async () => {
    const elsewhere = { ...defaults, store: undefined }
    for (const words of [['publish', 'remote-scan'], ['status'], ['activate', 'remote-scan']]) {
      expect(await release(words, elsewhere)).toBe(2)
      expect(printed.at(-1)).toMatch(/^Name the deployment: DMP_RELEASE_TO, or --to/)
    }
    expect(await release(['status', '--store', aStore().folder], elsewhere)).toBe(1)
    expect(await release(['key', 'new', 'remote-report', '--json'], elsewhere)).toBe(0)
  })

  it.each([
    ['a team without a store', undefined, [], 'ask them for it'],
    ['who named it by the variable', '/nowhere', [], 'unset DMP_RELEASE_TO, or name the store with --store'],
    ['who named it in the line', '/nowhere', ['--to', 'https://dmp.example'], 'leave --to out'],
  ])('says to %s what to do about a command that needs the store', async (_who, store, more, cure) => {
    const door = { to: 'https://dmp.example', readToken: () => undefined }
    expect(await release(['history', ...more], { ...defaults, store, door })).toBe(1)
    expect(printed.at(-1)).toMatch(new RegExp(`^history needs the store, .*${cure}`))
  })

  it('takes a value behind an equals sign, and one that begins with a dash', async () => {
    const store = await storeWithTwoMoves()
    expect(await release([`--store=${store.folder}`, 'rollback', '--reason', '-1 row'], defaults)).toBe(0)
    expect((await readRegistry(store))?.history[0]).toMatchObject({ change: 'rollback', reason: '-1 row' })
  })

  it('still knows the baseline command by its earlier name', async () => {
    const store = aStore()
    for (const name of ['baseline', 'keep']) {
      expect(await release([name, '--store', store.folder, '--json'], defaults)).toBe(1)
      expect(printedJson()).toMatchObject({
        command: name,
        error: expect.stringMatching(/^Nothing is live/) as unknown,
      })
    }
  })

  it('shows all commands when nothing was typed', async () => {
    expect(await release([], defaults)).toBe(2)
    expect(printed.at(-1)).toMatch(/^npm run release -- remote-scan .*[^]*\n {2}baseline \[remote-scan\] /)
  })
})
