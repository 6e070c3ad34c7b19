import { address, optional, setting, Text } from './setting.ts'

/** How mails leave. */
export const mailSettings = {
  smtpUrl: optional(
    'SMTP_URL',
    'Mail server, such as smtps://user:password@mail.example.org',
    address('smtp:', 'smtps:'),
    { neededInProduction: true, isSecret: true },
  ),
  mailFrom: setting('DMP_MAIL_FROM', 'Sender of mails', Text, {
    fallback: 'Data Management Platform <no-reply@dmp.example>',
  }),
} as const
