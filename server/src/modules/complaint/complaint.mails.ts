import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import type { Mailer } from '../../outside/mail.ts'
import { fullName } from '../../identity/user.ts'
import type { ComplaintRecord } from './complaint.repository.ts'

interface StatusNews {
  readonly complaint: Pick<ComplaintRecord, 'id' | 'shown_number' | 'created_by_id' | 'status'>
  readonly comment: string
  readonly viewer: Pick<Viewer, 'userId' | 'fullName'>
  readonly publicUrl: string
}

/** Mails the new status to the complainant, unless they changed it themselves or can no longer sign in. */
export async function mailComplainant(
  trx: Transaction<Tables>,
  mail: Mailer,
  { complaint, comment, viewer, publicUrl }: StatusNews,
): Promise<void> {
  if (complaint.created_by_id === viewer.userId) return
  const complainant = await trx
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['email', 'civility', 'first_name', 'last_name'])
    .where('users.id', '=', complaint.created_by_id)
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
  if (!complainant) return
  const { shown_number: number, status } = complaint
  await mail.queue(trx, {
    to: complainant.email,
    subject: `Complaint ${number}: ${status}`,
    name: fullName(complainant),
    paragraphs: [`Your complaint ${number} now has the status ${status}. ${viewer.fullName} wrote:`],
    quote: comment,
    link: { label: 'Open the complaint', address: `${publicUrl}/complaint/detail/${complaint.id}` },
    afterwards: ['You received this mail because you submitted this complaint.'],
  })
}
