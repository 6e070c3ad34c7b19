import { demoAccounts, demoPassword } from '@dmp/contract/demoAccounts'

/** What a start says when the first page can be opened: its address, and in a demo who may sign in. */
export function toAnnouncement(url: string, { isDemo }: { readonly isDemo: boolean }): string {
  const ready = `Data Management Platform is ready: ${url}`
  if (!isDemo) return ready
  return [
    ready,
    '',
    `Demo accounts, all with the password ${demoPassword}`,
    ...demoAccounts.map(({ email, role }) => `  ${email.padEnd(24)} ${role}`),
    '',
    `Mails arrive at ${url}/dev/mail`,
  ].join('\n')
}
