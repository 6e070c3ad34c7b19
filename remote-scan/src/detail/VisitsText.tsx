import type { ShareLink } from '@dmp/contract/scan'
import { DateText } from '@dmp/kit/screen'
import { timesText } from '../shared/counts.ts'

/** How often a link was opened, when, and by which mail address where a code proved it. */
export function VisitsText({ link: { uses, maxUses, visits, lastUsedDate } }: { link: ShareLink }) {
  if (uses === 0) return <>{maxUses === null ? 'Not yet' : `Not yet, ${timesText(maxUses)} at most`}</>
  const count = maxUses === null ? timesText(uses) : `${uses} of ${maxUses} times`
  if (visits.length === 0)
    return (
      <span className="share-lines">
        <span>{count}</span>
        <small>
          last <DateText value={lastUsedDate} format="moment" />
        </small>
      </span>
    )
  return (
    <details className="share-visits">
      <summary>{count}</summary>
      <ul>
        {visits.map(({ openedDate, email }) => (
          <li key={`${openedDate} ${email}`}>
            <DateText value={openedDate} format="moment" />
            {email !== null && ` by ${email}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
