import type { ReleaseStatus, ShownRelease } from '@dmp/contract/releaseCalls'
import { CopyText, DateText } from '@dmp/kit/screen'
import { StatusBadge } from '@dmp/kit/ui'
import { formatCount, formatLoadTime, formatShare, formatKilobytes } from './format.ts'
import { sayFault, toHealth } from './releaseLabels.ts'

/** One release that users get: since when, by whom, and the figures that pages reported. */
export function ReleaseFacts({ release, watch }: { release: ShownRelease; watch: ReleaseStatus['watch'] }) {
  const { version, releaseId, since, by, commit, brotliBytes, figures, kept } = release
  const { label, tone } = toHealth(figures, watch)
  return (
    <>
      <p className="dmp-platform-release">
        {version && <strong>{version}</strong>} <CopyText text={releaseId} label="Release id" />{' '}
        <StatusBadge value={label} tone={tone} />
      </p>
      <dl className="dmp-platform-figures">
        <div>
          <dt>Pages, 24 h</dt>
          <dd>{formatCount(figures.pages)}</dd>
        </div>
        <div>
          <dt>Load time</dt>
          <dd title="Three in four pages loaded within this time">
            <bdi>{formatLoadTime(figures.loadMsP75 ?? null)}</bdi>
          </dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>{formatShare(figures.badShare ?? null)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>
            <bdi>{formatKilobytes(brotliBytes)}</bdi>
          </dd>
        </div>
      </dl>
      {figures.faults.length > 0 && (
        <p className="dmp-quiet">
          {figures.faults.map(({ fault, pages }) => `${sayFault(fault)}: ${formatCount(pages)}`).join(' · ')}
        </p>
      )}
      {(figures.strangers ?? 0) > 0 && (
        <p className="dmp-quiet">
          {formatCount(figures.strangers ?? 0)} more failures were reported without a user who can sign in. They do not
          count.
        </p>
      )}
      {kept && (
        <p>
          <StatusBadge value="Kept" tone="info" /> by {kept.by}, <DateText value={kept.at} format="moment" />: it does
          not roll back automatically.{kept.reason ? ` ${kept.reason}` : ''}
        </p>
      )}
      <p className="dmp-quiet">
        {since ? (
          <>
            Since <DateText value={since} format="moment" />
            {by ? ` by ${by}` : ''}
          </>
        ) : (
          'Live since before this history began'
        )}{' '}
        · commit {commit}
      </p>
    </>
  )
}
