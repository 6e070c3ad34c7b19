import { inbox } from '@dmp/contract'
import { toInboxSentence, type InboxKind } from '@dmp/contract/inbox'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

export async function readInbox(who: SignedIn, kind?: InboxKind) {
  const { status, data, message } = await who.call(inbox.list, { pageSize: 500 })
  if (status !== 200) throw new Error(`No inbox: ${status} ${message}`)
  const entries = data.entries.filter((entry) => kind === undefined || entry.kind === kind)
  return { entries, unread: data.unread, total: data.total, sentences: entries.map(toInboxSentence) }
}

export const markAll = (who: SignedIn) => who.call(inbox.markAllRead, { until: new Date().toISOString() })

/** Everything lies so much further back. */
export async function letPass({ deps }: TestServer, minutes: number): Promise<void> {
  const pause = sql`make_interval(mins => ${minutes}::int)`
  await sql`update inbox_facts set created_date = created_date - ${pause}`.execute(deps.db)
  await sql`update inbox_choices set told_date = told_date - ${pause}, mailed_date = mailed_date - ${pause}`.execute(
    deps.db,
  )
}

/** One object of a study of its own patient. */
export async function store(
  server: TestServer,
  who: SignedIn,
  study: string,
  instance = 1,
  description = 'Brain',
): Promise<void> {
  const elements = slice({
    '00080018': text('UI', `${study}.1.${instance}`),
    '00080060': text('CS', 'CT'),
    '00081030': text('LO', description),
    '00100010': text('PN', 'Sample^Anna'),
    '0020000D': text('UI', study),
    '0020000E': text('UI', `${study}.1`),
  })
  const { statusCode, body } = await stow(server, who, [dicomFile({ elements })])
  if (statusCode !== 200) throw new Error(`Not stored: ${statusCode} ${body}`)
}
