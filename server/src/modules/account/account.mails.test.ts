import { writeLetter } from '../../outside/letter.ts'
import { codeMail, resetMail, temporaryPasswordMail } from './account.mails.ts'

const ada = { email: 'ada@north.example', fullName: 'Dr Ada Berg' }

describe('how long a code, a link or a temporary password is valid', () => {
  it.each([
    [1, '1 minute'],
    [3, '3 minutes'],
    [0.05, '0.05 minutes'],
    [60, '60 minutes'],
    [180, '180 minutes'],
    [181, '3 hours'],
  ])('%d minutes are said as %s [9.05]', (minutes, words) => {
    const mails = [codeMail(ada, '123456', minutes), resetMail(ada, 'https://dmp.example/reset-password/1/2', minutes)]
    for (const mail of mails) expect(writeLetter(mail).text).toContain(`It is valid for ${words} and works once.`)
  })

  it('is said in hours of a temporary password [1.08, 3.16]', () => {
    expect(writeLetter(temporaryPasswordMail(ada, 'a password', 72, 'https://dmp.example')).text).toContain(
      'The temporary password is valid for 72 hours.',
    )
  })
})
