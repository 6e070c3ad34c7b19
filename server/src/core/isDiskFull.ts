/** No room on the disk, of the database (`disk_full`) or of the server itself; the transaction was undone. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code))
