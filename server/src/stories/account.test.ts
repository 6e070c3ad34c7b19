import { account, email } from '@dmp/contract'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { chosenPassword } from '../modules/businessUser/businessUserInTests.ts'
import { story } from '../testing/story/story.ts'

const windows = {
  headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0', 'sec-fetch-site': 'same-origin' },
  remoteAddress: '10.1.0.7',
}
const phone = {
  headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605' },
  remoteAddress: '10.2.0.8',
}
const clientId = 'dmp-web'
const mail = 'staff@north.example'
const report = {
  applicationName: 'host',
  applicationComponent: 'ScanList',
  version: '3.2.1',
  stackTrace: 'TypeError: x is undefined\n    at show (main.js:12:34)',
}

story('Somebody signs in here and there, forgets and changes a password', import.meta.url, async (teller) => {
  const { does, later, people, server } = teller
  const { staff, south } = people
  const login = { ClientId: clientId, email: mail, password: demoPassword }
  await does(staff, account.profile, {})
  await does(staff, account.getPreferences, {})
  await does(staff, account.getIFU, {})
  await does(staff, account.validateToken, {})
  await does(undefined, account.login, { ...login, password: 'Wrong-password-1' }, { title: 'A wrong password.' })
  const other = { title: 'Somebody who has no account.' }
  await does(undefined, account.login, { ...login, email: 'nobody@north.example' }, other)
  const { data: first } = await does(undefined, account.login, login, windows)
  await does(undefined, account.login, login, { ...phone, title: 'On a telephone as well.' })
  await does(south, account.listSessions, {}, { title: 'Sessions of somebody else.' })
  const { data: sessions } = await does(staff, account.listSessions, {})
  const id = sessions.find(({ device }) => device === 'Safari on iOS')?.id ?? ''
  await does(staff, account.signOutSession, { id })
  const renew = { clientId, refreshToken: first.refreshToken ?? '' }
  await does(undefined, account.renewToken, renew, { title: 'Without the cookie of the browser.' })
  await later(5)
  await does(staff, account.announceLaunch, { sessionId: '00000000-0000-4000-9000-0000000000aa' }, { isOpen: true })
  await does(staff, email.sendApplicationError, report, { isOpen: true })

  const answer = { clientId, session: 'Nothing', userId: staff.userId, mfaCode: '123456' }
  await does(undefined, account.respondToMFA, answer, { title: 'Of a sign-in that there is not.' })
  await does(staff, account.updatePreferences, { mfaEnabled: true })
  const { data: half } = await does(undefined, account.login, login, { ...windows, title: 'Now with a second step.' })
  const session = half.session ?? ''
  await does(undefined, account.respondToMFA, { ...answer, session, mfaCode: 'no' }, { title: 'A wrong code.' })
  const mfaCode = (await server.mailTo(mail)).code ?? ''
  await does(undefined, account.respondToMFA, { ...answer, session, mfaCode }, windows)
  await does(staff, account.updatePreferences, { mfaEnabled: false }, { title: 'Off, without the password.' })
  await does(staff, account.updatePreferences, { mfaEnabled: false, password: demoPassword }, { title: 'Off.' })
  await does(staff, account.signOutOthers, {})

  const wish = { oldPassword: demoPassword, newPassword: 'Another one 2!', confirmNewPassword: 'Another one 2!' }
  await does(staff, account.changePassword, { ...wish, oldPassword: 'Wrong-password-1' }, { title: 'Not the old one.' })
  await does(undefined, account.login, login, { ...phone, title: 'On the telephone again.' })
  await does(staff, account.changePassword, wish)
  await does(undefined, account.forgotPassword, { Email: 'nobody@north.example', ClientId: clientId }, other)
  await does(undefined, account.forgotPassword, { Email: mail, ClientId: clientId })
  const code = (await server.mailTo(mail)).links[0]?.split('/').at(-1) ?? ''
  const reset = { UserId: staff.userId, ConfirmationCode: code, ClientId: clientId }
  const next = { NewPassword: chosenPassword, ConfirmNewPassword: chosenPassword }
  await does(
    undefined,
    account.resetForgotPassword,
    { ...reset, ...next, ConfirmationCode: 'no' },
    { title: 'A wrong link.' },
  )
  await does(undefined, account.resetForgotPassword, { ...reset, ...next })
  await does(undefined, account.resetForgotPassword, { ...reset, ...next }, { title: 'The same link again.' })
  const again = { ...login, password: chosenPassword }
  const { data: last } = await does(undefined, account.login, again, {
    title: 'With the new password, without a browser.',
  })
  const refreshToken = last.refreshToken ?? ''
  const { data: renewed } = await does(undefined, account.renewToken, { clientId, refreshToken })
  await does(undefined, account.logout, { refreshToken: renewed.refreshToken ?? '' })
  await does(undefined, account.renewToken, { clientId, refreshToken: renewed.refreshToken }, { title: 'It is over.' })
  const { data: stolen } = await does(undefined, account.login, again, { title: 'Once more.' })
  const copy = { clientId, refreshToken: stolen.refreshToken ?? '' }
  await does(undefined, account.renewToken, copy, { title: 'Renewed.' })
  await does(undefined, account.renewToken, copy, { title: 'And by somebody who has a copy.' })
  await later(1440)
})
