import { someSettings } from '@dmp/contract/examples'
import { formatLaunchAddress } from './launchApp.ts'

describe('addressOf', () => {
  it('fills in what it knows, encoded, and leaves the rest [7.42]', () => {
    expect(
      formatLaunchAddress('https://bmd.example/{organizationId}/{studyUID}?s={sessionId}&x={other}', {
        organizationId: 'a/b',
        studyUID: '2.25.1',
        sessionId: 'x&y',
      }),
    ).toBe('https://bmd.example/a%2Fb/2.25.1?s=x%26y&x={other}')
  })

  it('does not read inherited names', () => {
    expect(formatLaunchAddress('/{constructor}', Object.create(null) as Record<string, string>)).toBe('/{constructor}')
    expect(someSettings().apps.viewer).toBe('')
  })
})
