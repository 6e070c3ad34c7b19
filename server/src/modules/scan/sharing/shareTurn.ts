import { visitorsOf, type Turn } from '../../../core/fairTurns.ts'

/**
 * Whose turn the work for visitors of a link takes: that of all visitors of this link together, beside those of other
 * links of the organization. An organization that makes many links takes no more from others than with one (P18, P25).
 */
export const turnOfShare = (organizationId: string, shareId: string): Turn => ({
  customer: visitorsOf(organizationId),
  person: `share ${shareId}`,
})
