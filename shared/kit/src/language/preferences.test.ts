import { preferences } from './preferences.ts'

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}
afterEach(() => {
  jest.restoreAllMocks()
  document.getElementById('dmp-guest')?.remove()
  localStorage.clear()
})

describe('small choices', () => {
  it('are read where they were written', () => {
    preferences.write('theme', 'dark')
    expect([preferences.read('theme'), localStorage.getItem(preferences.key('theme'))]).toEqual(['dark', 'dark'])
  })

  it('are, in a frame without storage, those that its page was given, and no others', () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(denied)
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(denied)
    expect(preferences.read('theme')).toBeNull()
    const script = Object.assign(document.createElement('script'), { id: 'dmp-guest', type: 'application/json' })
    script.textContent = JSON.stringify({ preferences: { theme: 'dark' } })
    document.body.append(script)
    preferences.write('density', 'compact')
    expect(['theme', 'density', 'constructor'].map(preferences.read)).toEqual(['dark', null, null])
  })
})
