import type { Release } from '@dmp/contract/release'
import { findUnmetNeeds } from './compatibility.ts'

const host = (react: string) => ({ name: 'host', releaseId: 'h', provides: { react } }) as unknown as Release
const remote = (react: string) => ({ name: 'remote-scan', releaseId: 'r', consumes: { react } }) as unknown as Release

describe('what the host provides, and the range that a remote accepts', () => {
  it.each([
    ['1.2.3', '^1.0.0', true],
    ['1.2.3', '^1.2.3', true],
    ['1.2.3', '^1.2.4', false],
    ['2.0.0', '^1.0.0', false],
    ['1.10.0', '^1.9.0', true],
    ['1.2.9', '~1.2.3', true],
    ['1.3.0', '~1.2.3', false],
    ['1.2.3', '1.2.3', true],
    ['1.2.4', '1.2.3', false],
    ['0.3.0', '^0.2.0', false],
    ['0.2.5', '^0.2.1', true],
    ['19.3.1', '^19.3.0', true],
    ['20.0.0-rc.1', '^19.3.0', false],
  ])('%s in %s: %s', (version, range, isAccepted) => {
    expect(findUnmetNeeds(host(version), remote(range)).length === 0).toBe(isAccepted)
  })

  it('names both parts, and a cure, when a module is missing', () => {
    expect(findUnmetNeeds({ ...host('19.0.0'), provides: {} }, remote('^19.0.0'))).toEqual([
      {
        parties: ['remote-scan', 'host'],
        reason: 'remote-scan needs react ^19.0.0, which the host h does not provide.',
        cure: expect.stringMatching(
          /^Build remote-scan against .* provides react \^19\.0\.0: npm run release -- activate host .* --with remote-scan@r\.$/,
        ) as unknown,
      },
    ])
  })
})
