import type { BenchServer, Reply } from './load.ts'

/** How well the time of an answer tells whether an address has an account. */
export interface TimingLeak {
  readonly knownMs: number
  readonly unknownMs: number
  /**
   * Of how many pairs, one of each kind, the known one took longer (Mann-Whitney): 0.5 tells nothing, 1 everything. It
   * asks for no shape of the times and is not moved by the few that the machine delayed.
   */
  readonly share: number
  /** Whether 0.5 lies within what chance does to so many samples, 95 times of 100. */
  readonly isChance: boolean
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

export function rankTest(knownTimes: readonly number[], unknown: readonly number[]): TimingLeak {
  const longer = knownTimes.reduce(
    (sum, knownMs) =>
      sum + unknown.reduce((all, other) => all + (knownMs > other ? 1 : knownMs === other ? 0.5 : 0), 0),
    0,
  )
  const share = longer / (knownTimes.length * unknown.length)
  // Spread of the share when both kinds come from one distribution.
  const spread = Math.sqrt((knownTimes.length + unknown.length + 1) / (12 * knownTimes.length * unknown.length))
  return {
    knownMs: median(knownTimes),
    unknownMs: median(unknown),
    share,
    isChance: Math.abs(share - 0.5) <= 1.96 * spread,
  }
}

/**
 * The calls that a stranger can make with an address (P07): which one for the address, and what has to be put right
 * after it.
 */
function listCalls({ post, login }: BenchServer) {
  const knownEmail = 'staff@north.example'
  const person = { civility: 'Ms', firstName: 'Ann', lastName: 'Bench', mobile: null, landline: null, fax: null }
  return [
    // A right password in between, or the known account would soon have to wait.
    {
      name: 'sign-in',
      known: knownEmail,
      ask: (email: string) => login(email, 'wrong'),
      after: () => login(knownEmail),
    },
    {
      name: 'forgotten password',
      known: knownEmail,
      ask: (Email: string) => post('/account/forgotPassword', { Email, ClientId: 'dmp-web' }),
      after: undefined,
    },
    {
      name: 'registration',
      known: knownEmail,
      ask: (email: string, n: number) =>
        post('/Registration/add', { ...person, email, organizationName: `Bench-${n}` }),
      after: undefined,
    },
  ]
}

/** Samples of each kind in turn, so that whatever else the machine does meets both alike. */
export async function measureTimingLeaks(
  server: BenchServer,
  samples: number,
  say: (name: string, leak: TimingLeak) => void,
): Promise<void> {
  for (const { name, known: knownEmail, ask, after } of listCalls(server)) {
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let n = -5; n < samples; n += 1) {
      for (const kind of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? knownEmail : `nobody.${n + 5}@north.example`
        const began = performance.now()
        const reply: Reply = await ask(email, 2 * n + (kind === 'known' ? 1 : 0))
        // The first few warm up.
        if (n >= 0) times[kind].push(performance.now() - began)
        if (![200, 401].includes(reply.status)) throw new Error(`${name}: ${reply.status} ${reply.body.slice(0, 200)}`)
        if (kind === 'known') await after?.()
      }
    }
    say(name, rankTest(times.known, times.unknown))
  }
}
