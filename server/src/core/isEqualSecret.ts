import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets in a time that does not depend on where they differ (P07). */
export function isEqualSecret(a: string, b: string): boolean {
  // As bytes: texts of one length may differ in theirs, and that would throw.
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
