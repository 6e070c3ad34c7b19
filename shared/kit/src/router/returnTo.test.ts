import { returnTo, toReturnState } from './returnTo.ts'

describe('where to go after sign-in', () => {
  it('is the address that was asked for, with its query [2.03]', () => {
    expect(returnTo(toReturnState({ pathname: '/scan', search: '?searchTerm=knee' }))).toBe('/scan?searchTerm=knee')
  })

  it.each([[null], [undefined], ['text'], [{}], [{ returnTo: 7 }], [{ returnTo: '' }]])(
    'is the dashboard when %j was handed over [2.03]',
    (state) => {
      expect(returnTo(state)).toBe('/dashboard')
    },
  )

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/', '/login', '/Login?x=1'])(
    'is never %s',
    (address) => {
      expect(returnTo({ returnTo: address })).toBe('/dashboard')
    },
  )
})
