import { Refusal } from '../core/errors.ts'
import { refuseUniqueViolation } from './uniqueViolation.ts'

const refusal = () => new Refusal(409, 'NAME_TAKEN', 'There is one of this name already.')
const failing = (error: unknown) => refuseUniqueViolation('organizations_name', refusal, Promise.reject(error))

describe('a value that somebody has already', () => {
  it('is refused in our own words', async () => {
    await expect(failing({ code: '23505', constraint: 'organizations_name' })).rejects.toMatchObject({
      status: 409,
      code: 'NAME_TAKEN',
    })
    expect(await refuseUniqueViolation('organizations_name', refusal, Promise.resolve('written'))).toBe('written')
  })

  it.each([
    ['another value is taken', { code: '23505', constraint: 'users_email' }],
    ['the same value is wrong in another way', { code: '23514', constraint: 'organizations_name' }],
    ['the database is away', new Error('gone')],
    ['nothing is said', null],
  ])('is not blamed where %s', async (_what, error) => {
    await expect(failing(error)).rejects.toBe(error)
  })
})
