/** Families as people know them; one that names another as well stands before it. */
const families = [
  ['Edge', /\bEdgA?\/(\d{1,3})/],
  ['Opera', /\bOPR\/(\d{1,3})/],
  ['Firefox', /\bFirefox\/(\d{1,3})/],
  ['Chrome', /\bChrome\/(\d{1,3})/],
  ['Safari', /\bVersion\/(\d{1,3})[\d.]* (?:Mobile\/\w+ )?Safari\//],
] as const

/** Family and first number of the version, such as `Firefox 145`; nothing that would tell one computer from another. */
export function toBrowser(userAgent: string): string {
  for (const [family, pattern] of families) {
    const version = pattern.exec(userAgent)?.[1]
    if (version !== undefined) return `${family} ${version}`
  }
  return 'Another browser'
}
