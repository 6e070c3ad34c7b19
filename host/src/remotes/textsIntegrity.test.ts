import { textsIntegrity } from './textsIntegrity.ts'

jest.mock('@dmp/kit/language', () => ({ language: () => 'de' }))

function placeHashes(hashes: unknown): void {
  document.head.append(
    Object.assign(document.createElement('script'), {
      type: 'application/json',
      id: 'dmp-texts',
      textContent: JSON.stringify(hashes),
    }),
  )
}
afterEach(() => document.getElementById('dmp-texts')?.remove())

describe('the hash of what a release says', () => {
  it('is that of the page’s language and of this very release [P30]', () => {
    placeHashes({ 'remote-scan/1': { de: 'sha384-one', fr: 'sha384-two' }, 'remote-scan/2': { de: 'sha384-three' } })
    expect(textsIntegrity('remote-scan', '1')).toBe('sha384-one')
    expect(textsIntegrity('remote-scan', '2')).toBe('sha384-three')
    expect(textsIntegrity('remote-user', '1')).toBeUndefined()
  })

  it('is not told where this server sends the file, which compares it itself', () => {
    expect(textsIntegrity('remote-scan', '1')).toBeUndefined()
  })
})
