/** PS3.5 section 6.2: what else comes is no AE title, and stands in no list and no record. */
export const isTitle = (text: string): boolean => /^[ -[\]-~]{1,16}$/.test(text)
