import type { PartFigures, TimeBudget } from '@dmp/contract/releaseFigures'
import { pageTimeKinds, type PageTimeKind } from '@dmp/contract/releaseFigures'
import { StoreError } from '../store/ReleaseStore.ts'
import type { Command } from './command.ts'
import { formatTable } from './format.ts'

/** As errors do, times lie in a deployment's database. */
export const figuresCommand: Command = {
  usage: 'figures  remote-scan',
  about: 'show who still has which release and how long people wait (--to); --budget sets how long they may',
  run: () => Promise.reject(new StoreError('A deployment knows what pages tell. Name it: --to https://…')),
}

/** `start=1500,inp=200`; `none` takes all budgets away. Throws where it is not understood. */
export function parseBudgets(text: string): TimeBudget[] {
  if (text === 'none') return []
  return text.split(',').map((pair) => {
    const [what = '', most = ''] = pair.split('=').map((word) => word.trim())
    if (!isKind(what) || !/^[1-9]\d{0,4}$/.test(most))
      throw new StoreError(`--budget takes pairs such as start=1500,inp=200, of ${pageTimeKinds.join(', ')}; or none.`)
    return { what, p75: Number(most) }
  })
}

const isKind = (what: string): what is PageTimeKind => (pageTimeKinds as readonly string[]).includes(what)

/** Figures as people read them: milliseconds, and thousandths of the page for `cls`. */
export function formatFigures({ releases, budgets }: PartFigures): string {
  const budgetOf = (what: PageTimeKind): string => {
    const budget = budgets.find((one) => one.what === what)
    return budget ? ` (${budget.p75})` : ''
  }
  const rows = releases.map(({ releaseId, version, state, openPages, mostOpenPages, times }) => [
    releaseId,
    version,
    state,
    `${openPages}`,
    `${mostOpenPages}`,
    ...pageTimeKinds.map((kind) => {
      const time = times.find(({ what }) => what === kind)
      return time ? `${time.p75} ${time.p95}` : '–'
    }),
  ])
  const headings = pageTimeKinds.map((kind) => `${kind.toUpperCase()}${budgetOf(kind)}`)
  return [
    formatTable(['RELEASE', 'VERSION', 'STATE', 'OPEN', 'MOST OPEN', ...headings], rows),
    '',
    'OPEN: pages within the last hour, and the most within one hour of the last 24. Times: of three in four pages and',
    'of nineteen in twenty, in ms (cls in thousandths of the page), 30 days; budgets in brackets.',
  ].join('\n')
}
