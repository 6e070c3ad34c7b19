import { pnpm } from '../install.mjs'
import { readText } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

/** A known vulnerability that does not concern us for now; the reason says why, the date when that is judged again. */
export interface AdvisoryException {
  readonly advisory: string
  readonly reason: string
  /** `2026-12-31` */
  readonly until: string
}

interface Advisory {
  readonly github_advisory_id?: string
  readonly module_name?: string
  readonly severity?: string
  readonly title?: string
}

export const exceptionsFile = 'scripts/checks/advisoryExceptions.json'

/**
 * Asks the registry for known vulnerabilities of what the lock file names. A grave one fails, a registry that does not
 * answer is said: nothing was found then, and nothing was looked at.
 */
export async function askForAdvisories(): Promise<TestTotals> {
  const { text } = await runProcess('npx', ['-y', pnpm, 'audit', '--json'], {
    isQuiet: true,
    env: { npm_config_loglevel: 'error' },
  })
  const exceptions = JSON.parse(readText(exceptionsFile)) as AdvisoryException[]
  const { problems, note, isAsked } = judgeAdvisories(text, exceptions, new Date())
  console.log(`  ${note}`)
  for (const problem of problems) console.log(`  ✗ ${problem}`)
  return { passed: isAsked && problems.length === 0 ? 1 : 0, failed: problems.length }
}

export function judgeAdvisories(
  text: string,
  exceptions: readonly AdvisoryException[],
  now: Date,
): { problems: string[]; note: string; isAsked: boolean } {
  const past = exceptions
    .filter(({ until }) => !(Date.parse(until) > now.getTime()))
    .map(
      ({ advisory, until }) => `The exception of ${advisory} ended on ${until}. Judge it again in ${exceptionsFile}.`,
    )
  const advisories = parseAdvisories(text)
  if (advisories === undefined)
    return {
      problems: past,
      note: `Not asked: the registry tells no advisories here (${reasonIn(text)}).`,
      isAsked: false,
    }
  const excepted = new Set(exceptions.map(({ advisory }) => advisory))
  const grave = advisories.filter(
    ({ severity, github_advisory_id: id }) => /^(?:high|critical)$/.test(severity ?? '') && !excepted.has(id ?? ''),
  )
  return {
    problems: [
      ...past,
      ...grave.map(
        ({ module_name: name, severity, title, github_advisory_id: id }) =>
          `${name} has a known vulnerability (${severity}, ${id}): ${title}. Update it, or add a dated exception to ${exceptionsFile}.`,
      ),
    ],
    note: `The registry was asked: ${advisories.length} advisories, ${grave.length} of them high or critical and without an exception.`,
    isAsked: true,
  }
}

/** Undefined where the answer is none: an error page, a refusal, nothing at all. */
function parseAdvisories(text: string): Advisory[] | undefined {
  try {
    const { advisories } = JSON.parse(text.slice(text.indexOf('{'))) as { advisories?: unknown }
    return typeof advisories === 'object' && advisories !== null ? Object.values(advisories) : undefined
  } catch {
    return undefined
  }
}

const reasonIn = (text: string): string => /responded with \d+|ERR_\w+/.exec(text)?.[0] ?? 'no answer'
