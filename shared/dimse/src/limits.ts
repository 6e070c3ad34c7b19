/** Every bound on what a partner can make the upper layer do (PS3.8). */
export const dimseLimits = {
  /** The longest PDU that is taken, which the partner is told. */
  pduBytes: 128 * 2 ** 10,
  /** A proposal of 128 contexts with a dozen transfer syntaxes each is some 50 KB. */
  associateBytes: 256 * 2 ** 10,
  /** Presentation contexts have the odd numbers of a byte (section 9.3.2.2). */
  contexts: 128,
  transferSyntaxesPerContext: 64,
  /** Roles beyond the contexts are of nothing that is proposed. */
  roles: 128,
  /** Senders put one fragment into a PDU, or a command and the beginning of its data set. */
  fragmentsPerPdu: 64,
  /** PDUs of one line that are read before others have their turn: thousands of short ones may have come at once. */
  pdusPerTurn: 32,
  /** A command set is a few hundred bytes. */
  commandBytes: 16 * 2 ** 10,
  /** Fragments that are shorter are handed on together. */
  blockBytes: 2 ** 14,
  /** Keys of a search or of a retrieval: a list of 1,000 UIDs is 65 KB. */
  keysBytes: 2 ** 18,
  /** What a commitment is asked for: a list of 10,000 objects is 1.3 MB. */
  identifierBytes: 4 * 2 ** 20,
  /** Time for the proposal after the connection, and for its answer (the ARTIM timer of section 9.1.5). */
  associateMs: 10_000,
  /** Nobody takes less: each PDU has a head, and costs a turn of its own. */
  leastPduBytes: 512,
  /** What partners that say nothing of it are sent at most. */
  defaultPduBytes: 16 * 2 ** 10,
} as const
