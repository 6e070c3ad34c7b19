import { randomInt } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Settings } from '../settings/settings.ts'
import { findCurrentTurn } from '../core/asker.ts'
import { FairTurns } from '../core/fairTurns.ts'
import { startHashingThreads, type HashingThreads } from './hashingThreads.ts'
import { refusedPasswords } from './refusedPasswords.ts'

/** OWASP's parameters for argon2id, the library's default kind: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** At once, for what happens outside of a server: seeds and the first administrator. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Passwords of one address that may wait; sign-ins have a lower limit by themselves. */
const waitingPerPerson = 512

/**
 * Hashes a few at a time in threads of low priority, so that sign-ins cannot starve everything else, and in fair turns:
 * whoever tries many passwords waits for them, and the next address for one of them (P18).
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** For a password that a person chose: refused at the field when the installation's list has it. */
  hashChosen(password: string, field: string): Promise<string>
  /** Takes as long for an account that does not exist (`undefined`) as for one that does. */
  isRight(password: string, hashed: string | undefined): Promise<boolean>
  /** How many are hashed, and wait for it. */
  readonly counts: FairTurns['counts']
  close(): Promise<void>
}

/** The hash of a password that no account has, for comparisons of unknown accounts. */
let nobody: Promise<string> | undefined

export function createPasswordHasher(
  { hashingParallel: parallel, refusedPasswords: file }: Pick<Settings, 'hashingParallel' | 'refusedPasswords'>,
  threads: HashingThreads = startHashingThreads(),
): PasswordHasher {
  const refuse = refusedPasswords(file)
  const turns = new FairTurns({ atOnce: parallel, perCustomer: parallel, perPerson: parallel, waitingPerPerson })
  nobody ??= hashPassword(createTemporaryPassword())
  const known = nobody
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => turns.run(findCurrentTurn(), work)
  return {
    hash: (password) => inTurn(() => threads.hash(password, cost)),
    hashChosen: async (password, field) => {
      refuse(password, field)
      return inTurn(() => threads.hash(password, cost))
    },
    isRight: (password, hashed) =>
      inTurn(async () => {
        const isEqual = await threads.verify(password, hashed ?? (await known))
        return isEqual && hashed !== undefined
      }),
    get counts() {
      return turns.counts
    },
    close: threads.close,
  }
}

const letters = {
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  lower: 'abcdefghijkmnopqrstuvwxyz',
  digit: '23456789',
  special: '!@#$%&*',
}

/** 16 random characters that keep rule 5.01, without those that look alike. */
export function createTemporaryPassword(): string {
  const pick = (from: string): string => from.charAt(randomInt(from.length))
  const all = letters.upper + letters.lower + letters.digit
  const chosen = [
    pick(letters.upper),
    pick(letters.lower),
    pick(letters.digit),
    pick(letters.special),
    ...Array.from({ length: 12 }, () => pick(all)),
  ]
  for (let last = chosen.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const held = chosen[last] as string
    chosen[last] = chosen[other] as string
    chosen[other] = held
  }
  return chosen.join('')
}
