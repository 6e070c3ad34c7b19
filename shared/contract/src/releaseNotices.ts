import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Email, Instant, Password, Uuid, exact, maybe } from './fields.ts'
import { limits } from './limits.ts'
import { PartName } from './remote.ts'
import { StatusName, WebhookUrl } from './webhook.ts'

const Text = v.string('Text.')
const Toggle = v.boolean('Yes or no.')

/** Whom a part's news go to: errors that are new, budgets that are spent, releases that were taken back. */
export const Notices = v.object({
  part: PartName,
  isOn: Toggle,
  emails: v.array(Text, 'A list.'),
  /** Sends by the rules of Standard Webhooks; the screen of webhooks has its deliveries. */
  webhook: maybe(v.object({ id: Uuid, url: Text, status: StatusName })),
  lastDate: maybe(Instant),
})
export type Notices = v.InferOutput<typeof Notices>

export const getNotices = endpoint({
  method: 'GET',
  path: '/Release/getNotices',
  summary: 'Whom the news of one part go to.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName }),
  answer: Notices,
})

const EmailsOfTeam = v.pipe(
  v.array(Email, 'A list.'),
  v.maxLength(limits.noticeAddresses, `Name at most ${limits.noticeAddresses} addresses.`),
)

/**
 * Replaces all of it. A webhook whose address stays keeps its secret; the answer holds that of a new one, once. The
 * person confirms it by their password: it sends things out for longer than a session lasts.
 */
export const setNotices = endpoint({
  method: 'PUT',
  path: '/Release/setNotices/:part',
  summary: 'Say whom the news of one part go to.',
  needs: may('Release', 'Update'),
  params: exact({ part: PartName }),
  body: exact({ emails: EmailsOfTeam, url: maybe(WebhookUrl), password: Password }),
  answer: v.object({ ...Notices.entries, secret: maybe(Text) }),
})

export const switchNotices = endpoint({
  method: 'PUT',
  path: '/Release/switchNotices/:part',
  summary: 'Stop the mails and webhooks of one part, or go on with them.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  params: exact({ part: PartName }),
  body: exact({ isOn: Toggle }),
  answer: Notices,
})
