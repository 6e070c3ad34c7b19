/** Why something of an archive is refused, read by people in their own language as the sentence of a Refusal is. */
export const importSentences = {
  missing: 'The file is not there.',
  unlisted: 'The file is in no list of the export.',
  damaged: 'The file is not the one that was exported: its hash is another one.',
  tooMany: 'There are more records than an import may bring.',
  otherSchema: 'This is not what schema.json says.',
  ofProvider: 'People of a provider are added by hand.',
} as const
