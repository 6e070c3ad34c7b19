import { findLicenceProblems, markOf, parseLicences, splitPage, toPage } from './licences.ts'

describe('licences', () => {
  it.each(['MIT', '(MIT OR WTFPL)', 'Apache-2.0 AND MIT', '(MIT AND Zlib)'])('may be %s', (licence) => {
    expect(findLicenceProblems([{ name: 'any', licence }])).toEqual([])
  })

  it.each(['GPL-3.0-only', 'Unknown', 'MIT AND GPL-2.0-only', 'SSPL-1.0 OR AGPL-3.0-only', ''])(
    'may not be "%s" without a reason by name',
    (licence) => {
      expect(findLicenceProblems([{ name: 'any', licence }])).toEqual([expect.stringContaining('any has the licence')])
    },
  )

  it('may be another one for a package that is named, and for that licence only', () => {
    expect(findLicenceProblems([{ name: 'axe-core', licence: 'MPL-2.0' }])).toEqual([])
    expect(findLicenceProblems([{ name: 'axe-core', licence: 'GPL-3.0-only' }])).toHaveLength(1)
  })

  it('are listed alike on every platform', () => {
    const of = (platform: string) =>
      parseLicences(JSON.stringify({ 'LGPL-3.0-or-later': [{ name: `@img/sharp-libvips-${platform}` }] }))
    expect(of('linux-x64')).toEqual([{ name: '@img/sharp-libvips-*', licence: 'LGPL-3.0-or-later' }])
    expect(of('darwin-arm64')).toEqual(of('linux-x64'))
    expect(toPage(of('linux-x64'))).toContain('| @img/sharp-libvips-* | LGPL-3.0-or-later | linked dynamically')
  })

  it('are known without asking while lock file, rules and page are as they were [P66]', () => {
    const page = toPage([{ name: 'any', licence: 'MIT' }])
    const [body, mark] = splitPage(`${page}${markOf(page, ['lock', 'rules'])}`)
    expect(body).toBe(page)
    expect(mark).toBe(markOf(body, ['lock', 'rules']))
    for (const [text, ...sources] of [
      [body, 'another lock', 'rules'],
      [body, 'lock', 'other rules'],
      [`${body}| GPL-3.0 | any |`, 'lock', 'rules'],
      [body, 'lockr', 'ules'],
    ] as const)
      expect(markOf(text, sources)).not.toBe(mark)
    expect(splitPage(page)).toEqual([page, ''])
  })
})
