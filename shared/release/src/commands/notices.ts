import type { Notices } from '@dmp/contract/releaseNotices'
import { StoreError } from '../store/ReleaseStore.ts'
import type { Command } from './command.ts'

/** Whom a deployment tells lies in its database. */
export const noticesCommand: Command = {
  usage: 'notices  remote-scan',
  about: 'show whom a deployment (--to) mails and calls about the part; --off ends it, --on goes on',
  run: () => Promise.reject(new StoreError('A deployment sends mails and webhooks. Name it: --to https://…')),
}

/** As people read it. */
export function formatNotices({ part, isOn, emails, webhook }: Notices): string {
  const whom = [...emails, ...(webhook ? [`${new URL(webhook.url).origin} (webhook, ${webhook.status})`] : [])]
  if (whom.length === 0) return `Nobody is told of ${part}. Whoever runs the platform registers addresses for it.`
  return `${isOn ? 'Told' : 'Switched off; otherwise told'} of ${part}: ${whom.join(', ')}`
}
