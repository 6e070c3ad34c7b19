import type { Letter } from '../../outside/letter.ts'
import type { AuditHead } from '../../db/auditHash.ts'
import { formatHeads } from './heads.ts'

/** The heads of a day, for a mailbox that the database's owner cannot reach. */
export const headsMail = (to: string, heads: readonly AuditHead[], publicUrl: string): Letter => ({
  to,
  subject: `Audit heads of ${new URL(publicUrl).host}`,
  paragraphs: [
    'These lines name the newest record of each audit chain. Keep this mail: the records of the chains can be compared with it later, and nobody can delete or rewrite records without a difference.',
    'To compare, save this mail as a text file and run: npm run admin -- audit --heads <file>',
  ],
  afterwards: [heads.length === 1 ? 'It is one chain.' : `These are ${heads.length} chains.`],
  lines: formatHeads(heads),
})
