import type { Generated } from 'kysely'

/** Mails wait here until they are handed over, so that a mail is sent exactly when its transaction was committed. */
export interface MailTable {
  id: Generated<string>
  recipient: string
  subject: string
  /** The subject in English, by which mails of one kind are counted; null if a version before wrote it. */
  about: Generated<string | null>
  /** Emptied once sent, except for the demo mailbox: mails carry codes. */
  text: string
  html: string
  links: string[]
  code: string | null
  /** Whose logo it bears, if there is one when it is sent; null if a version before wrote it. */
  logo_of: Generated<string | null>
  created_date: Generated<Date>
  sent_date: Date | null
}

export interface MailTables {
  mails: MailTable
}
