import { limits } from '@dmp/contract/limits'
import { release } from '../cli.ts'
import { addPreview, findPreview, listPreviews } from '../previews.ts'
import { readRegistry } from '../store/ReleaseStore.ts'
import { aKey, publishAs, register } from '../testing/signing.ts'
import {
  captureOutput,
  defaults,
  printed,
  printedJson,
  publishScan,
  runOn,
  storeWithTwoMoves,
} from '../testing/releaseCommand.ts'

captureOutput()
const declaration = {
  name: 'remote-scan',
  title: 'Scans <b>|`x`',
  version: '1.0.0',
  routes: [{ prefix: '/scan', guard: 'session' as const }],
  navigation: [],
  cards: [],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
}
const address = { address: 'https://dmp.example' }

describe('npm run release -- preview', () => {
  it('prints one address, at which the change stands beside what is live, and moves nothing [P83]', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const before = await readRegistry(store)
    const words = ['preview', 'remote-scan', '--release', releaseId, '--users', 'Ann@x.example', '--days', '3']
    expect(await runOn(store, [...words, '--json'], address)).toBe(0)
    const { preview, summary } = printedJson() as { preview: Record<string, unknown>; summary: string }
    const [made] = await listPreviews(store, 'remote-scan')
    expect(preview).toMatchObject({
      address: `https://dmp.example${made?.path}`,
      releaseId,
      users: ['ann@x.example'],
      by: 'ann',
      change: null,
    })
    expect(made?.path).toBe(`/scan?dmp-preview=remote-scan.${made?.id}`)
    expect(Date.parse(made!.ends) - Date.parse(made!.at)).toBe(3 * 86_400_000)
    expect(summary).toContain(`**[Open the preview](https://dmp.example${made?.path})**`)
    expect(await readRegistry(store)).toEqual(before)

    expect(await runOn(store, words, address)).toBe(0)
    expect(printed.at(-1)).toMatch(/nothing went live\.\n\n {2}https:\/\/dmp\.example\/scan\?dmp-preview=remote-scan\./)
    expect(printed.at(-1)).toContain('For super administrators and one named person, signed in; each is asked before')
    expect(printed.at(-1)).toMatch(/first script: .* kB \(.* beside live\)/)
  })

  it('says it in Markdown, with verdicts, sizes beside live, and no address of a person nor mark-up of a build [P83]', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three', { record: { declaration } })
    const words = ['--release', releaseId, '--users', 'ann@x.example,bob@x.example', '--change', 'pr-17', '--summary']
    expect(await runOn(store, ['preview', 'remote-scan', ...words], address)).toBe(0)
    const markdown = printed.at(-1) ?? ''
    expect(markdown).toMatch(/^### Preview of Scans \\<b\\>\\\|\\`x\\` \(remote-scan\)/)
    expect(markdown).toContain('– not live. Ends on ')
    expect(markdown).toContain('super administrators and 2 named people')
    expect(markdown).not.toContain('x.example')
    expect(markdown).toContain('- ✅ **needs**: ')
    expect(markdown).toMatch(/\| first page \| .* kB \| .* kB \| .* \|/)
    expect(markdown).toContain(`Release \`${releaseId}\` of commit \`abc\`, beside \``)
  })

  it('keeps the address of a change, and ends by change, release or part [P83]', async () => {
    const store = await storeWithTwoMoves()
    const [one, two] = [await publishScan(store, 'three'), await publishScan(store, 'four')]
    const say = (...words: string[]) => runOn(store, ['preview', 'remote-scan', ...words], address)
    for (const { releaseId } of [one, two]) expect(await say('--release', releaseId, '--change', 'feature/x#1')).toBe(0)
    expect(await say('--release', one.releaseId)).toBe(0)
    const made = await listPreviews(store, 'remote-scan')
    expect(made.map(({ releaseId, change }) => [releaseId, change]).sort()).toEqual(
      [
        [one.releaseId, undefined],
        [two.releaseId, 'feature/x#1'],
      ].sort(),
    )
    expect(await say('--end', '--change', 'feature/x#1', '--json')).toBe(0)
    expect(printedJson().ended).toEqual([expect.objectContaining({ releaseId: two.releaseId })])
    expect(await say('--end', '--release', two.releaseId)).toBe(0)
    expect(printed.at(-1)).toContain('no such preview')
    expect(await say('--end')).toBe(0)
    expect(await listPreviews(store, 'remote-scan')).toEqual([])
  })

  it('is refused, with the cure, for what could not work beside what is live, and is not held up by sizes [P83]', async () => {
    const store = await storeWithTwoMoves()
    const greedy = await publishScan(store, 'greedy', { kit: '^9.0.0' })
    expect(await runOn(store, ['preview', 'remote-scan', '--release', greedy.releaseId, '--json'])).toBe(3)
    expect(printedJson().refusals).toMatchObject([{ parties: ['remote-scan', 'needs'] }])
    const heavy = await publishScan(store, `/* ${Array.from({ length: 40_000 }, (_, n) => n.toString(36)).join()} */`)
    expect(await runOn(store, ['preview', 'remote-scan', '--release', heavy.releaseId, '--json'])).toBe(0)
    const { preview } = printedJson() as { preview: { findings: { check: string; passed: boolean }[] } }
    expect(preview.findings.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(['budget'])
    const unsigned = await publishAs(store, 'remote-scan', 'unsigned')
    await register(store, 'remote-scan', aKey('ci'))
    expect(await runOn(store, ['preview', 'remote-scan', '--release', unsigned.releaseId])).toBe(3)
    expect(printed.at(-1)).toContain('is not signed by a key')
  })

  it('is bounded in days and number [P83]', async () => {
    const store = await storeWithTwoMoves()
    for (const days of ['0', '31', '1.5', 'x']) {
      expect(await release(['preview', 'remote-scan', '--days', days], defaults)).toBe(2)
      expect(printed.at(-1)).toContain('--days needs a whole number from 1 to 30.')
    }
    const scan = await publishScan(store, 'three')
    for (let made = 0; made < limits.previewsPerPart; made += 1)
      await addPreview(store, scan, { by: 'test', users: [], days: 1, change: `pr-${made}` })
    expect(await runOn(store, ['preview', 'remote-scan', '--release', scan.releaseId])).toBe(1)
    expect(printed.at(-1)).toContain('preview remote-scan --end')
    expect(await runOn(store, ['preview', 'remote-scan', '--release', scan.releaseId, '--change', 'pr-3'])).toBe(0)
  })

  it('ends by itself, and what names nothing is none [P83]', async () => {
    const store = await storeWithTwoMoves()
    const scan = await publishScan(store, 'three')
    const { id, ends } = await addPreview(store, scan, { by: 'test', users: [], days: 1 })
    const at = (now: number) => findPreview(store, 'remote-scan', id, now)
    expect(await at(Date.parse(ends) - 1)).toMatchObject({ id })
    expect(await at(Date.parse(ends))).toBeUndefined()
    for (const [part, wanted] of [
      ['remote-user', id],
      ['../registry', id],
      ['remote-scan', '../../registry/1'],
    ] as const)
      expect(await findPreview(store, part, wanted)).toBeUndefined()
  })
})
