import { partOf, testsOf } from './judge.ts'

describe('who would notice a fault', () => {
  it('is found by the part that the file stands in', () => {
    expect(['shared/contract/src/limits.ts', 'server/src/http/live.ts', 'remote-scan/src/App.tsx'].map(partOf)).toEqual(['shared/contract', 'server', 'remote-scan'])
  })

  it('is asked from near to far: what both sides stand on is tried on both', () => {
    expect(testsOf('remote-scan')).toEqual([{ config: 'jest.config.mjs', project: 'remote-scan' }])
    expect(testsOf('shared/contract').map(({ config, project }) => project ?? config)).toEqual(['contract', 'server', 'jest.config.mjs'])
    expect(testsOf('shared/kit').map(({ config, project }) => project ?? config)).toEqual(['kit', 'jest.config.mjs'])
    expect(testsOf('shared/release')[0]?.config).toBe('jest.node.config.mjs')
  })
})
