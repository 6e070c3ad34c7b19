import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'
import type { AuditHead } from '../../db/auditHash.ts'
import { formatHeads } from './heads.ts'

/** The heads of a day, for a mailbox that the database's owner cannot reach. */
export const headsMail = (to: string, heads: readonly AuditHead[], publicUrl: string): Mail => {
  const mail = letter({
    to,
    subject: `Audit heads of ${new URL(publicUrl).host}`,
    paragraphs: [
      'These lines name the newest record of each audit chain. Keep this mail: the records of the chains can be compared with it later, and nobody can delete or rewrite records without a difference.',
      'To compare, save this mail as a text file and run: npm run admin -- audit --heads <file>',
    ],
    afterwards: [`${heads.length} ${heads.length === 1 ? 'chain' : 'chains'}.`],
  })
  // As text only: a line of a web page could be broken by the program that shows it.
  return { ...mail, text: `${mail.text}\n${formatHeads(heads)}`, html: '' }
}
