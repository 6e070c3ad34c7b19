import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Settings } from '../../settings.ts'
import { turns } from '../../turns.ts'
import { refusedPasswords } from './refusedPasswords.ts'

/** OWASP's parameters for argon2id, the library's default kind: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Limits how much hashing happens at once, so that sign-ins cannot starve everything else (P18). */
export interface Hasher {
  hash(password: string): Promise<string>
  /** For a password that a person chose: refused at the field when the installation's list has it. */
  hashChosen(password: string, field: string): Promise<string>
  /** Takes as long for an account that does not exist (`undefined`) as for one that does. */
  isRight(password: string, hashed: string | undefined): Promise<boolean>
}

export function hasherOf({ hashingParallel: parallel, refusedPasswords: file }: Pick<Settings, 'hashingParallel' | 'refusedPasswords'>): Hasher {
  const refuse = refusedPasswords(file)
  const inTurn = turns(parallel)
  // Of a password that nobody has: what unknown accounts are compared with.
  const nobody = hashPassword(temporaryPassword())
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    hashChosen: async (password, field) => {
      refuse(password, field)
      return inTurn(() => hashPassword(password))
    },
    isRight: (password, hashed) =>
      inTurn(async () => {
        const isEqual = await verify(hashed ?? (await nobody), password)
        return isEqual && hashed !== undefined
      }),
  }
}

const letters = { upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ', lower: 'abcdefghijkmnopqrstuvwxyz', digit: '23456789', special: '!@#$%&*' }

/** 16 random characters that keep rule 5.01, without those that look alike. */
export function temporaryPassword(): string {
  const pick = (from: string): string => from.charAt(randomInt(from.length))
  const all = letters.upper + letters.lower + letters.digit
  const chosen = [pick(letters.upper), pick(letters.lower), pick(letters.digit), pick(letters.special), ...Array.from({ length: 12 }, () => pick(all))]
  for (let last = chosen.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const held = chosen[last] as string
    chosen[last] = chosen[other] as string
    chosen[other] = held
  }
  return chosen.join('')
}
