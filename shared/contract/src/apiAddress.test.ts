import { toApiAddress } from './apiAddress.ts'

describe('the address of a call', () => {
  it('has one slash between root and path, however the root is written', () => {
    expect([
      toApiAddress({ apiRoot: '/api' }, '/account/login'),
      toApiAddress({ apiRoot: 'https://dmp.example/api/' }, '/account/login'),
    ]).toEqual(['/api/account/login', 'https://dmp.example/api/account/login'])
  })
})
