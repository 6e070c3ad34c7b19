import { returnTo, toReturnState } from './returnTo.ts'

describe('where to go after sign-in', () => {
  it('is where the person wanted to go, with the query [2.03]', () => {
    expect(returnTo(toReturnState({ pathname: '/scan', search: '?searchTerm=knee' }))).toBe('/scan?searchTerm=knee')
  })

  it.each([[null], [undefined], ['text'], [{}], [{ wanted: 7 }], [{ wanted: '' }]])(
    'is the dashboard when %j was handed over [2.03]',
    (state) => {
      expect(returnTo(state)).toBe('/dashboard')
    },
  )

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/', '/login', '/Login?x=1'])(
    'is never %s',
    (wanted) => {
      expect(returnTo({ wanted })).toBe('/dashboard')
    },
  )
})
