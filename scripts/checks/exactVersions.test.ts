import { findInexactVersions } from './exactVersions.ts'

describe('versions of dependencies', () => {
  it.each(['^1.0.0', '~1.2.3', '*', '1', '1.2', '>=1.0.0', 'latest', 'workspace:^', 'npm:react@^19.0.0', ''])(
    'may not be "%s"',
    (version) => {
      expect(findInexactVersions('host/package.json', { devDependencies: { react: version } })).toEqual([
        expect.stringContaining(`host/package.json: react is "${version}"`),
      ])
    },
  )

  it.each(['1.2.3', '10.4.2-beta.1', 'workspace:*', 'npm:typescript@6.0.3', 'npm:@scope/name@1.0.0'])(
    'may be "%s"',
    (version) => {
      const manifest = { dependencies: { a: version }, peerDependencies: { b: version } }
      expect(findInexactVersions('package.json', manifest)).toEqual([])
    },
  )

  it('may be a range of one major for peers, which the package does not bring', () => {
    const manifest = { peerDependencies: { a: '^1.2.3', b: '*', c: '>=1.0.0', d: '^1' } }
    expect(findInexactVersions('package.json', manifest)).toHaveLength(3)
  })

  it('are read from every kind of dependency', () => {
    const manifest = {
      dependencies: { a: '^1.0.0' },
      devDependencies: { b: '*' },
      optionalDependencies: { c: '1' },
      peerDependencies: { d: '2' },
    }
    expect(findInexactVersions('package.json', manifest)).toHaveLength(4)
  })
})
