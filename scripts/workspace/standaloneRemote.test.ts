import { oxcErrors } from './newRemoteInTests.ts'
import { createStandaloneFiles } from './standaloneRemote.ts'

const packages = new Map([
  ['@dmp/contract', '/tmp/dmp-contract-1.2.0.tgz'],
  ['@dmp/kit', '/tmp/dmp-kit-1.3.0.tgz'],
  ['@dmp/command', '/tmp/dmp-command-1.0.0.tgz'],
])

describe('a repository of one remote', () => {
  const files = createStandaloneFiles('remote-image-report', packages)
  const manifest = JSON.parse(files['package.json'] ?? '') as Record<string, Record<string, string>>

  it('takes our packages from its own folder, and every other one at a version', () => {
    expect(manifest.dependencies).toMatchObject({ '@dmp/kit': 'file:packages/dmp-kit-1.3.0.tgz' })
    expect(manifest.devDependencies).toMatchObject({ '@dmp/command': 'file:packages/dmp-command-1.0.0.tgz' })
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^(?:\d+\.\d+\.\d+|file:packages\/.*\.tgz)$/)
  })

  it('names nothing of this repository: no workspace, no folder above its own', () => {
    for (const [file, text] of Object.entries(files))
      expect([file, text]).not.toEqual([file, expect.stringMatching(/workspace:|\.\.\/shared/)])
  })

  it('parses', () => {
    expect(oxcErrors(files)).toEqual([])
  })
})
