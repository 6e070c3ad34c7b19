import { getVerdict } from '@dmp/release/preflight/preflight'
import type { Preflight } from '@dmp/release/commands/command'

/**
 * What stands before a move from a team's own repository: documents, sizes and files are looked at here, and the trial
 * in a browser beside what is live is the platform's. Its verdict lies in the store; without one nothing goes live.
 */
export const judgedElsewhere: Preflight = ({ store, snapshot, changed, by }) =>
  getVerdict(
    store,
    snapshot,
    changed.map(({ name }) => name),
    {
      by,
      trial: async (_snapshot, parts) => ({
        findings: parts.map((name) => ({
          check: `journey ${name}`,
          passed: false,
          says: `${name} was not tried in a browser beside what is live now.`,
          cure: `The platform's team tries it: npm run release -- check ${name} --release ${changed.find((ref) => ref.name === name)?.releaseId}. Then run this again.`,
          seconds: 0,
        })),
      }),
    },
  )
