import type { PreviewReport } from '@dmp/contract/releasePreview'
import { formatKilobytes } from './format.ts'

/** Sizes, each with its name for people. */
const sizes = [
  ['entry', 'first script'],
  ['firstRoute', 'first page'],
  ['all', 'all files'],
] as const

/** "3 Dec 2026, 14:00 UTC": pipelines and their readers have clocks of their own. */
export const formatEnd = (instant: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(instant))} UTC`

/** How many people may open it; their addresses are nothing for a public comment. */
export const formatPeople = (count: number): string =>
  count === 0
    ? 'super administrators'
    : `super administrators and ${count === 1 ? 'one named person' : `${count} named people`}`

const formatName = ({ title, part, version }: PreviewReport): string =>
  `${title === part ? part : `${title} (${part})`} ${version}`.trim()

/** A preview is there already: there is nothing to do again. */
const toAdvice = (cure: string): string => cure.replace(/ Then (?:do|run) this again\.$/, '')

/** For people at a terminal. */
export function formatPreview(report: PreviewReport, address: string, endIt: string): string {
  const { releaseId, endsDate, users, findings } = report
  return [
    `Preview of ${formatName(report)}, release ${releaseId}; nothing went live.`,
    '',
    `  ${address}`,
    '',
    `It ends on ${formatEnd(endsDate)}. For ${formatPeople(users.length)}, signed in; each is asked before it runs.`,
    ...findings.map(
      ({ check, passed, says, cure }) =>
        `  ${passed ? '✓' : '✗'} ${check}: ${says}${cure !== null && !passed ? ` → ${toAdvice(cure)}` : ''}`,
    ),
    ...sizes.map(([size, name]) => `  ${name}: ${compare(report, size)}`),
    ...formatCalls(report).map((line) => `  ${line}`),
    `To end it: ${endIt}`,
  ].join('\n')
}

/** Markdown for the comment of any forge. */
export function formatSummary(report: PreviewReport, address: string): string {
  const { releaseId, commit, endsDate, users, findings, weight, live, needs } = report
  return [
    `### Preview of ${escape(formatName(report))}`,
    '',
    `**[Open the preview](${address})** – not live. Ends on ${formatEnd(endsDate)}. For ${formatPeople(users.length)}, who sign in first.`,
    '',
    `Release \`${releaseId}\` of commit \`${commit}\`${live ? `, beside \`${live.releaseId}\`, which is live` : ', of a part that was never live'}.`,
    '',
    ...findings.map(
      ({ check, passed, says, cure }) =>
        `- ${passed ? '✅' : '❌'} **${escape(check)}**: ${escape(says)}${cure !== null && !passed ? ` → ${escape(toAdvice(cure))}` : ''}`,
    ),
    '',
    '| bytes sent | this change | live | difference |',
    '|---|---:|---:|---:|',
    ...sizes.map(([size, name]) => {
      const before = live?.weight[size]
      return `| ${name} | ${formatKilobytes(weight[size])} | ${before === undefined ? '–' : formatKilobytes(before)} | ${before === undefined ? '–' : formatDifference(weight[size] - before)} |`
    }),
    '',
    ...formatCalls(report).map((line) => `${escape(line)}  `),
    ...(needs.length === 0
      ? []
      : [`Takes from the host: ${needs.map(({ module, range }) => `\`${module} ${range}\``).join(', ')}.`]),
  ].join('\n')
}

function compare({ weight, live }: PreviewReport, size: (typeof sizes)[number][0]): string {
  const now = formatKilobytes(weight[size])
  return live ? `${now} (${formatDifference(weight[size] - live.weight[size])} beside live)` : now
}

const formatDifference = (bytes: number): string =>
  bytes === 0 ? 'the same' : `${bytes > 0 ? '+' : '−'}${formatSize(Math.abs(bytes))}`

const formatSize = (bytes: number): string => (bytes < 1000 ? `${bytes} bytes` : formatKilobytes(bytes))

function formatCalls({ calls, live }: PreviewReport): string[] {
  if (calls === null) return []
  const added = live === null ? [] : calls.added
  return [
    `It makes ${calls.count} calls of the contract${added.length === 0 ? '' : `, of which new: ${added.join(', ')}`}.`,
  ]
}

/** Sentences hold names that a build chose. */
const escape = (text: string): string => text.replaceAll('\n', ' ').replace(/[\\`*_{}[\]<>|#!@]/g, '\\$&')
