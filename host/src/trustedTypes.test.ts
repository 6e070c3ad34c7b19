import { placePage } from './testing/createRemote.ts'
import { plainText, releaseAddress } from './trustedTypes.ts'

describe('the page’s Trusted Types policy', () => {
  it.each(['<img src=x onerror=alert(1)>', 'a & b', '&lt;script&gt;'])(
    'never makes markup from %s [P14, P30]',
    (text) => {
      expect(() => plainText(text)).toThrow(TypeError)
    },
  )

  it('lets plain text through', () => {
    expect(plainText('.a > .b { color: red }')).toBe('.a > .b { color: red }')
  })

  it.each([
    'https://evil.example/x.js',
    '//evil.example/x.js',
    'data:text/javascript,alert(1)',
    '/api/file.js',
    'javascript:alert(1)',
    '/releases/../api/x.js',
  ])('takes no script from %s [P30]', (url) => {
    expect(() => releaseAddress(url)).toThrow(/Scripts are not loaded from/)
  })

  it('takes scripts from where the server says that releases are, and from nowhere else there [P30]', () => {
    placePage({ releases: 'https://cdn.example.org/dmp/releases' })
    const file = 'https://cdn.example.org/dmp/releases/host/0123456789abcdef/main.js'
    expect(releaseAddress(file)).toBe(file)
    for (const url of [
      'https://cdn.example.org/dmp/releases/../evil.js',
      'https://cdn.example.org/dmp/releases.evil/x.js',
      'https://evil.example/dmp/releases/x.js',
    ])
      expect(() => releaseAddress(url)).toThrow(/Scripts are not loaded from/)
    placePage({})
    expect(() => releaseAddress(file)).toThrow(/Scripts are not loaded from/)
  })

  it('takes scripts of releases', () => {
    expect(releaseAddress('/releases/host/0123456789abcdef/main.js')).toBe('/releases/host/0123456789abcdef/main.js')
  })
})
