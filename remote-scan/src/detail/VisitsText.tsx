import type { ShareLink } from '@dmp/contract/scan'
import { DateText } from '@dmp/kit/screen'
import { timesOfText, timesText } from '../shared/counts.ts'

/** How often a link was opened, when, and by which mail address where a code proved it. */
export function VisitsText({ link: { uses, maxUses, visits, lastUsedDate } }: { link: ShareLink }) {
  if (uses === 0) return <bdi>{maxUses === null ? 'Not yet' : `Not yet, ${timesText(maxUses)} at most`}</bdi>
  const count = maxUses === null ? timesText(uses) : timesOfText(uses, maxUses)
  if (visits.length === 0)
    return (
      <span className="share-lines">
        <bdi>{count}</bdi>
        <small>
          <bdi>
            last <DateText value={lastUsedDate} format="moment" />
          </bdi>
        </small>
      </span>
    )
  return (
    <details className="share-visits">
      <summary>
        <bdi>{count}</bdi>
      </summary>
      <ul>
        {visits.map(({ openedDate, email }) => (
          <li key={`${openedDate} ${email}`}>
            <DateText value={openedDate} format="moment" />
            <bdi>{email === null ? ' by somebody with the link' : ` by somebody with the link for ${email}`}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
