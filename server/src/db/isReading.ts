/** Whether a statement changes nothing: it needs no room on the disk, and ending it loses nothing. */
export const isReading = (text: string): boolean =>
  /^\s*(?:select|with|show|explain|checkpoint)\b/i.test(text) &&
  !/\b(?:insert|update|delete|merge|create)\b/i.test(text)
