import * as v from 'valibot'
import * as account from './account.ts'
import { LoginForm } from './account.ts'
import * as businessUser from './businessUser.ts'
import * as complaint from './complaint.ts'
import * as examples from './examples/index.ts'
import {
  Civility,
  Email,
  MfaCode,
  NewPassword,
  Password,
  Phone,
  civilities,
  organizationName,
  personName,
} from './fields.ts'
import * as scan from './scan/index.ts'
import { RegistrationForm } from './registration.ts'

describe('fields', () => {
  it('has the titles once, for every form and for the server [5.07, 9.15]', () => {
    expect(civilities).toEqual(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'])
    for (const title of civilities) expect(v.is(Civility, title)).toBe(true)
    for (const title of ['mr', 'Sir', 'Mr ', 7])
      expect(v.safeParse(Civility, title).issues?.[0].message).toBe('Please choose one of: Mr, Mrs, Ms, Dr, Prof.')
    for (const none of ['', null, undefined])
      expect(v.safeParse(Civility, none).issues?.[0].message).toBe('This field is required!')
  })

  it.each([
    ['an organization name', organizationName('x'), 255, 'x'],
    ['a person name', personName('x'), 30, 'x'],
    ['a phone', Phone, 15, '1'],
    ['an email', Email, 255, 'email'],
    ['a password', Password, 100, 'x'],
    ['a new password', NewPassword, 100, 'Aa1!'],
    ['a verification code', MfaCode, 6, '1'],
  ] as const)('takes %s of so many characters and no more [9.03]', (_what, schema, most, letter) => {
    const text = (length: number) =>
      letter === 'email' ? 'a'.repeat(length - 11) + '@b.exam.ple' : letter.repeat(length).slice(0, length)
    expect([v.is(schema, text(most)), v.is(schema, text(most + 1))]).toEqual([true, false])
  })

  it('asks for at least twelve characters of a new password [9.03]', () => {
    expect(['Aa1!Aa1!Aa1', 'Aa1!Aa1!Aa1!'].map((text) => v.is(NewPassword, text))).toEqual([false, true])
  })

  it('have the same patterns for names, phones and emails in every form [5.04, 5.05, 5.06, 9.15]', () => {
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

describe('field rules', () => {
  const ok = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success

  it.each([
    ['Valid-Passw0rd!'.replace('-', ''), true],
    ['Short1!aA', false],
    ['nouppercase1!aa', false],
    ['NOLOWERCASE1!AA', false],
    ['NoDigitsHere!!aa', false],
    ['NoSpecial123456', false],
    [' LeadingSpace1!a', false],
    ['TrailingSpace1!a ', false],
    ['Inner Space Passw0rd', true],
    ['Umlaut-äPassw0rd!', false],
    ['A1!a'.repeat(26), false],
  ])('new password %j is accepted: %s [5.01]', (text, accepted) => expect(ok(NewPassword, text)).toBe(accepted))

  it.each([
    ['+49 30-1234', true],
    ['', true],
    [null, true],
    ['12345678901234567', false],
    ['12a', false],
  ])('phone %j is accepted: %s [5.05]', (text, accepted) => expect(ok(Phone, text)).toBe(accepted))
  it.each([
    ['Anna-Maria 2', true],
    ['', false],
    ['x'.repeat(31), false],
    ['O;Neill', false],
    ['   ', false],
  ])('first name %j is accepted: %s [5.06]', (text, accepted) =>
    expect(ok(personName('Please enter a first name.'), text)).toBe(accepted),
  )
  it.each([
    ['North-Clinic_1', true],
    ['North Clinic', false],
    ['', false],
    ['x'.repeat(256), false],
  ])('organization name %j is accepted: %s [5.11, 5.12]', (text, accepted) =>
    expect(ok(organizationName('Please enter an organization name.'), text)).toBe(accepted),
  )

  it.each([
    ['+49 30 ', '+49 30'],
    ['  ', null],
    ['', null],
    [null, null],
  ])('phone %j is kept as %j [5.05]', (text, kept) => expect(v.parse(Phone, text)).toBe(kept))

  it.each([
    [
      'reset',
      account.ResetPasswordForm,
      (newPassword: string, confirmPassword: string) => ({ newPassword, confirmPassword }),
    ],
    [
      'first',
      account.SetNewPasswordForm,
      (newPassword: string, confirmPassword: string) => ({ newPassword, confirmPassword, terms: true }),
    ],
    [
      'changed',
      account.ChangePasswordForm,
      (newPassword: string, confirmNewPassword: string) => ({ oldPassword: 'x', newPassword, confirmNewPassword }),
    ],
    [
      'forgotten',
      account.resetForgotPassword.definition.body,
      (NewPassword: string, ConfirmNewPassword: string) => ({
        UserId: 'ada',
        ConfirmationCode: 'x',
        NewPassword,
        ConfirmNewPassword,
        ClientId: 'dmp-web',
      }),
    ],
  ])('a %s password is typed twice alike [5.01]', (_which, form, typed) => {
    const said = (again: string) =>
      v.safeParse(form as v.GenericSchema, typed('Valid1Passw0rd!', again)).issues?.map(({ message }) => message)
    expect([said('Valid1Passw0rd!'), said('Other1Passw0rd!')]).toEqual([
      undefined,
      ['Please ensure the passwords match!'],
    ])
  })

  it('says the words of the specification and never what was typed [5.17]', () => {
    const result = v.safeParse(account.SetNewPasswordForm, {
      newPassword: 'hunter2-secret',
      confirmPassword: 'x',
      terms: false,
    })
    const said = JSON.stringify(result.issues?.map((issue) => issue.message))
    expect(said).toContain('Password should not start or end with spaces')
    expect(said).toContain('This field is required!')
    expect(said).not.toContain('hunter2')
  })

  it('says which characters a password may have where nothing else is wrong with it [5.01]', () => {
    const saidOf = (text: string) => v.safeParse(NewPassword, text).issues?.map(({ message }) => message)
    expect(saidOf('Nordlys-Trial-17!x')).toEqual([
      'Please use only letters from A to Z, numbers, spaces and the special characters !@#$%^&*.',
    ])
    expect(saidOf('Nordlys-Trial!x')?.[0]).toContain('Password should not start or end with spaces')
  })

  it('says that the passwords differ also while another field is empty [5.01]', () => {
    const result = v.safeParse(account.ChangePasswordForm, {
      oldPassword: '',
      newPassword: 'Valid1Passw0rd!',
      confirmNewPassword: 'Other1Passw0rd!',
    })
    expect(result.issues?.map((issue) => issue.message)).toContain('Please ensure the passwords match!')
  })

  it('refuses what it does not know', () => {
    expect(ok(businessUser.add.definition.body, { ...examples.aUser(), isAdmin: true })).toBe(false)
    expect(ok(complaint.StatusChange, { statusId: examples.anId(1), comment: 'x', extra: 1 })).toBe(false)
  })

  it('wants a comment that says something [5.10]', () =>
    expect(ok(complaint.StatusChange, { statusId: examples.anId(1), comment: '   ' })).toBe(false))
  it('shares for one to seven whole days [5.13, 9.04]', () => {
    expect([0, 1, 7, 8, 1.5].map((expireInDay) => ok(scan.ShareForm, { expireInDay }))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })
  it('deletes only after the exact phrase [5.15]', () => {
    expect(
      ['permanently delete', 'Permanently delete', 'permanently delete ', ''].map((phrase) =>
        ok(scan.DeleteForm, { phrase }),
      ),
    ).toEqual([true, false, false, false])
  })
})
