/** Text that a LIKE pattern takes to the letter. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
