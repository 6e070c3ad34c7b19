import { execFileSync } from 'node:child_process'
import { workspace } from '@dmp/build/workspace'
import { publishAll, sourceCommit } from './publishAll.ts'
import { aStore } from './testing/aBuild.ts'

describe('publishing this workspace', () => {
  it('goes into the store that is given, wherever that lies', async () => {
    const gone = (): Promise<never> => Promise.reject(new Error('this very store'))
    await expect(publishAll({ ...aStore(), read: gone, list: gone })).rejects.toThrow('this very store')
  })

  it('notes the commit, and whether anything stood beside it that is not committed', () => {
    const git = (...words: string[]): string => execFileSync('git', words, { cwd: workspace, encoding: 'utf8' }).trim()
    expect(sourceCommit()).toBe(
      `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain', '-uno') ? '+' : ''}`,
    )
  })
})
