import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import { letter } from '../../outside/letter.ts'
import type { Mailer } from '../../outside/mail.ts'
import { fullName } from '../../identity/user.ts'

interface News {
  readonly complaint: { readonly id: string; readonly shown_number: string; readonly created_by_id: string }
  readonly status: string
  readonly comment: string
  readonly viewer: Pick<Viewer, 'userId' | 'fullName'>
  readonly publicUrl: string
}

/** Whoever complained hears how it goes on, unless they moved it themself or can no longer sign in. */
export async function mailComplainant(
  trx: Transaction<Tables>,
  mail: Mailer,
  { complaint, status, comment, viewer, publicUrl }: News,
): Promise<void> {
  if (complaint.created_by_id === viewer.userId) return
  const person = await trx
    .selectFrom('users')
    .select(['email', 'civility', 'first_name', 'last_name'])
    .where('id', '=', complaint.created_by_id)
    .where('status', '=', 'Activated')
    .executeTakeFirst()
  if (!person) return
  await mail.queue(
    trx,
    letter({
      to: person.email,
      subject: `Complaint ${complaint.shown_number}: ${status}`,
      name: fullName(person),
      paragraphs: [`Your complaint ${complaint.shown_number} now has the status ${status}. ${viewer.fullName} wrote:`],
      quote: comment,
      link: { label: 'Open the complaint', address: `${publicUrl}/complaint/detail/${complaint.id}` },
      afterwards: ['You get this mail because you made the complaint.'],
    }),
  )
}
