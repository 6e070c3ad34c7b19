import { navigationFor, getRoute, type Declaration } from '../../shared/contract/src/remote.ts'
import { createRemoteFiles } from './newRemote.ts'
import { oxcErrors } from './newRemoteInTests.ts'

describe('a new remote', () => {
  const files = createRemoteFiles('remote-image-report')
  const declaration = JSON.parse(files['remote.json'] ?? '') as Declaration

  it('claims the address of its name and one navigation entry', () => {
    expect(declaration).toMatchObject({ name: 'remote-image-report', title: 'ImageReport', version: '1.0.0' })
    expect(getRoute([declaration], '/image-report/detail/1')?.claim.prefix).toBe('/image-report')
    // As it is made, everybody who is signed in sees it: no role has a permission that nobody knows yet.
    expect(getRoute([declaration], '/image-report')?.claim.guard).toBe('session')
    expect(navigationFor([declaration], []).map(({ routerLink }) => routerLink)).toEqual(['/image-report'])
  })

  it('is named nowhere after the remote whose settings it takes over', () => {
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({ name: '@dmp/remote-image-report' })
    for (const text of Object.values(files)) expect(text).not.toMatch(/remote-(?!image-report)[a-z]/)
  })

  it('has a screen and its test, which parse', () => {
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['src/list/ImageReportListScreen.tsx', 'src/list/ImageReportListScreen.test.tsx']),
    )
    expect(oxcErrors(files)).toEqual([])
  })
})
