import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets in a time that does not depend on where they differ (P07). */
export const isEqualSecret = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
