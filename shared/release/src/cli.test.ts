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
    [['canary', 'remote-scan', '--percent', 'all'], /--percent needs a number/],
    [['canary', 'remote-scan', '--percent', '0'], /--percent needs a number above 0 and up to 100/],
    [['canary', 'remote-scan', '--percent', '100.5'], /--percent needs a number above 0 and up to 100/],
  ])('does not understand %j: exit code 2, and what could have been meant', async (words, said) => {
    expect(await release(words, defaults)).toBe(2)
    expect(printed.at(-1)).toMatch(said)
    expect(await release(['--json', ...words], defaults)).toBe(2)
    expect(printedJson()).toMatchObject({ ok: false, error: expect.stringMatching(said) as unknown, refusals: [] })
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
