import type { ErrorGroup, SourcePlace } from '@dmp/contract/releaseErrors'
import { CopyText, DateText } from '@dmp/kit/screen'
import { formatCount, formatRelease } from './format.ts'

/** Errors that were thrown at one place each, newest first; each opens to its stack. */
export function ErrorList({ groups }: { groups: readonly ErrorGroup[] }) {
  return (
    <ul className="dmp-part-errors">
      {groups.map((group) => (
        <li key={group.id}>
          <details>
            <summary>
              <strong>
                <bdi dir="ltr">{`${group.name}: ${group.message}`}</bdi>
              </strong>
              <span className="dmp-quiet">
                <span>{group.reports === 1 ? '1 report' : `${formatCount(group.reports)} reports`}</span>
                <span>{group.people === 1 ? '1 person' : `up to ${formatCount(group.people)} people a day`}</span>
                <DateText value={group.lastDate} format="moment" />
              </span>
            </summary>
            <Details group={group} />
          </details>
        </li>
      ))}
    </ul>
  )
}

function Details({ group: { stack, firstDate, lastDate, releases, browsers } }: { group: ErrorGroup }) {
  const text = stack.map(formatPlace).join('\n')
  return (
    <>
      <pre className="dmp-part-stack" dir="ltr" role="region" aria-label="Stack">
        {text}
      </pre>
      <dl className="dmp-part-facts">
        <div>
          <dt>First seen</dt>
          <dd>
            <DateText value={firstDate} format="moment" />
          </dd>
          <dt>Last seen</dt>
          <dd>
            <DateText value={lastDate} format="moment" />
          </dd>
        </div>
        <div>
          <dt>Releases</dt>
          <dd>
            {releases.map((release) => (
              <div key={release.releaseId}>
                {formatRelease(release)} <CopyText text={release.releaseId} label="Release id" />:{' '}
                {formatCount(release.reports)}
              </div>
            ))}
          </dd>
        </div>
        <div>
          <dt>Browsers</dt>
          <dd>
            {browsers.map(({ name, reports }) => (
              <div key={name}>
                {name}: {formatCount(reports)}
              </div>
            ))}
          </dd>
        </div>
      </dl>
    </>
  )
}

/** As debuggers write it, so that an editor opens it. */
const formatPlace = ({ file, line, column, name }: SourcePlace): string =>
  name == null ? `${file}:${line}:${column}` : `${name} (${file}:${line}:${column})`
