/** Words before a family name that say nothing of the family, folded. */
const particles = new Set(['van', 'von', 'der', 'den', 'dem', 'del', 'della', 'dos', 'das', 'les', 'las', 'los', 'bin'])

/** `mueller` is how others write `müller`, which folds to `muller`. */
const withoutUmlauts = (word: string): string => word.replace(/([aou])e/g, '$1')

/** A letter alone is an initial; a character alone may be a whole name. */
const isName = (word: string): boolean => (word.length > 1 || /[^a-z]/.test(word)) && !particles.has(word)

function toWords(folded: string): string[] {
  const words = folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  const names = words.filter(isName)
  return (names.length > 0 ? names : words).map(withoutUmlauts)
}

/**
 * Whether a patient (`family, given`) may be the person, or of the person's family: one word of the family names is the
 * same. Both are folded: small letters without accents.
 */
export function isLikeOwnName(patientName: string, lastName: string): boolean {
  const own = new Set(toWords(lastName))
  const [family = ''] = patientName.split(',')
  return toWords(family).some((word) => own.has(word))
}
