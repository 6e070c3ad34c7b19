import type { Refusal } from '../core/errors.ts'

/**
 * Turns the database's "not unique" into a refusal. Asking first would leave a gap in which another request takes the
 * value.
 *
 * @example
 * const emailTaken = () => new Refusal(409, 'EMAIL_TAKEN', …)
 * await refuseUniqueViolation('users_email', emailTaken, trx.insertInto('users')….execute())
 */
export async function refuseUniqueViolation<T>(index: string, refusal: () => Refusal, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
    if (code === '23505' && constraint === index) throw refusal()
    throw error
  }
}
