import { spawnSync } from 'node:child_process'
import { getPriority } from 'node:os'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { NewPassword } from '@dmp/contract'
import { goOnFor } from '../core/asker.ts'
import { createPasswordHasher, createTemporaryPassword } from './password.ts'
import { startHashingThreads, type HashingThreads } from './hashingThreads.ts'

const settings = { hashingParallel: 2, refusedPasswords: undefined }

/** Real threads that tell what they were asked. */
function watched() {
  const threads = startHashingThreads()
  const asked: { hashed: string; running: number }[] = []
  let running = 0
  const spy: HashingThreads = {
    ...threads,
    verify: async (password, hashed) => {
      running += 1
      asked.push({ hashed, running })
      try {
        return await threads.verify(password, hashed)
      } finally {
        running -= 1
      }
    },
  }
  return { spy, asked, hasher: createPasswordHasher(settings, spy) }
}

describe('hashing', () => {
  it('does the same work for an account that does not exist, at the same cost [P07]', async () => {
    const { hasher, asked } = watched()
    const own = await hasher.hash('A right password 1!')
    expect(await hasher.isRight('A right password 1!', own)).toBe(true)
    expect(await hasher.isRight('A right password 1!', undefined)).toBe(false)
    const costs = asked.map(({ hashed }) => hashed.split('$').slice(0, 4).join('$'))
    expect(costs).toEqual(['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=19456,t=2,p=1'])
    await hasher.close()
  })

  it('runs no more at a time than the setting says, and leaves the event loop free meanwhile [P18]', async () => {
    const { hasher, asked } = watched()
    const own = await hasher.hash('A right password 1!')
    let turnsOfTheLoop = 0
    const turning = setInterval(() => (turnsOfTheLoop += 1), 1)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => hasher.isRight(n % 2 === 0 ? 'A right password 1!' : 'a wrong one', own)),
    )
    clearInterval(turning)
    expect(answers).toEqual(Array.from({ length: 12 }, (_, n) => n % 2 === 0))
    expect(Math.max(...asked.map(({ running }) => running))).toBe(2)
    expect(turnsOfTheLoop).toBeGreaterThan(2)
    await hasher.close()
  })

  it('is done for one address after the other: many guesses delay the next person by one [P18]', async () => {
    const order: string[] = []
    const verify: HashingThreads['verify'] = async (password) => order.push(password) > 0
    const hasher = createPasswordHasher({ ...settings, hashingParallel: 1 }, { ...startHashingThreads(), verify })
    const guess = (ip: string, password: string) =>
      new Promise<boolean>((resolve) =>
        goOnFor({ ip } as FastifyRequest, () => void hasher.isRight(password, 'a hash').then(resolve)),
      )
    const guesses = Array.from({ length: 8 }, (_, n) => guess('10.0.0.1', `guess ${n}`))
    await Promise.all([...guesses, guess('10.0.0.2', 'of somebody else')])
    expect(order.indexOf('of somebody else')).toBe(2)
    await hasher.close()
  })

  it('goes on after a task that its thread cannot do', async () => {
    const { hasher } = watched()
    await expect(hasher.isRight('whatever', 'no hash at all')).rejects.toThrow()
    expect(await hasher.isRight('A right password 1!', await hasher.hash('A right password 1!'))).toBe(true)
    await hasher.close()
  })
})

describe('the threads that hash', () => {
  /** Priorities of what is started for hashing in a process of the given one, as the system has them. */
  function priorities(own: number): number[] {
    const program = `
      import { readdirSync, readFileSync } from 'node:fs'
      import { setPriority } from 'node:os'
      import { startHashingThreads } from ${JSON.stringify(new URL('./hashingThreads.ts', import.meta.url).href)}
      const readStat = (task) => readFileSync('/proc/self/task/' + task + '/stat', 'utf8').split(') ').at(-1)
      const priority = (task) => Number(readStat(task).split(' ')[16])
      const tasks = () => new Map(readdirSync('/proc/self/task').map((task) => [task, priority(task)]))
      setPriority(${own})
      const before = tasks()
      const threads = startHashingThreads()
      await threads.hash('A right password 1!', { memoryCost: 64, timeCost: 1, parallelism: 1 })
      console.log(JSON.stringify([...tasks()].filter(([task]) => !before.has(task)).map(([, priority]) => priority)))
      await threads.close()`
    const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-'], {
      input: program,
      encoding: 'utf8',
    })
    if (run.status !== 0) throw new Error(run.stderr)
    return JSON.parse(run.stdout) as number[]
  }

  it('give way to what else wants the processor, and never come before the server itself [P18]', () => {
    if (process.platform !== 'linux') return
    const own = getPriority()
    expect(priorities(own)).toContain(Math.max(own, 5))
    // A server that was told to give way itself.
    const later = Math.min(19, own + 10)
    const started = priorities(later)
    expect([started.length > 0, Math.min(...started)]).toEqual([true, later])
  })
})

describe('a temporary password', () => {
  it('has sixteen characters that keep the rule, none of which looks like another [5.01, P06]', () => {
    const made = Array.from({ length: 50 }, createTemporaryPassword)
    for (const one of made) expect([one.length, v.is(NewPassword, one), /[IOl01]/.test(one)]).toEqual([16, true, false])
    expect(new Set(made).size).toBe(50)
  })
})
