import * as v from 'valibot'
import { Civility, civilities } from './fields.ts'
import { LoginForm } from './account.ts'
import { RegistrationForm } from './registration.ts'

describe('fields', () => {
  it('has the titles once, for every form and for the server [5.07, 9.15]', () => {
    expect(civilities).toEqual(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'])
    for (const title of civilities) expect(v.is(Civility, title)).toBe(true)
    for (const title of ['', 'mr', 'Sir', 'Mr ']) expect(v.is(Civility, title)).toBe(false)
  })

  it('judges names, phones and email addresses by the same patterns wherever they are typed [5.04, 5.05, 5.06, 9.15]', () => {
    const draft = {
      civility: 'Mr',
      firstName: 'Ines',
      lastName: 'Vogel',
      organizationName: 'East-Clinic',
      email: 'ines@east.example',
      mobile: null,
      landline: null,
      fax: null,
      terms: true,
    }
    expect(v.is(RegistrationForm, draft)).toBe(true)
    for (const wrong of [
      { firstName: 'Ines!' },
      { lastName: '' },
      { organizationName: 'East/Clinic' },
      { email: 'ines' },
      { mobile: '12a' },
      { terms: false },
    ]) {
      expect([wrong, v.is(RegistrationForm, { ...draft, ...wrong })]).toEqual([wrong, false])
    }
    expect(v.is(LoginForm, { email: 'ines', password: 'x' })).toBe(false)
    expect(v.is(LoginForm, { email: 'ines@east.example', password: 'x' })).toBe(true)
  })
})
