import type { PreviewReport } from '@dmp/contract/releasePreview'
import { formatNumber } from '@dmp/kit'
import { DateText, Facts } from '@dmp/kit/screen'

/** What the platform says of a preview beside what is live. */
export function PreviewDetails({ report }: { report: PreviewReport }) {
  const { change, commit, by, endsDate, findings, weight, live, needs, calls } = report
  return (
    <div className="dmp-preview-details">
      <Facts
        facts={[
          ...(change === null ? [] : [{ label: 'Change', value: change }]),
          { label: 'Commit', value: commit },
          { label: 'Made by', value: by },
          { label: 'Ends', value: <DateText value={endsDate} format="moment" /> },
          { label: 'First script', value: <Size bytes={weight.entry} live={live?.weight.entry} /> },
          { label: 'First page', value: <Size bytes={weight.firstRoute} live={live?.weight.firstRoute} /> },
          { label: 'All files', value: <Size bytes={weight.all} live={live?.weight.all} /> },
          ...(calls === null ? [] : [{ label: 'Calls', value: formatNumber(calls.count) }]),
        ]}
      />
      <h3>What the platform says</h3>
      <ul className="dmp-preview-findings">
        {findings.map(({ check, passed, says, cure, pictures }) => (
          <li key={check} data-passed={passed}>
            <span className="dmp-hidden">{passed ? 'Passed:' : 'Not passed:'}</span>
            <div>
              <span lang="en">
                <strong>{check}</strong> {says} {!passed && cure}
              </span>
              {pictures && (
                <div className="dmp-preview-pictures">
                  {pictures.live !== undefined && <Picture content={pictures.live} caption="Live" />}
                  <Picture content={pictures.seen} caption={passed ? 'This change' : 'When it failed'} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
      {calls !== null && live !== null && calls.added.length > 0 && (
        <>
          <h3>New calls</h3>
          <ul>
            {calls.added.map((name) => (
              <li key={name}>
                <code dir="ltr">{name}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {needs.length > 0 && (
        <>
          <h3>Taken from the host</h3>
          <ul>
            {needs.map(({ module, range }) => (
              <li key={module}>
                <code dir="ltr">
                  {module} {range}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** A screen of the platform's trial, with the people and scans of the demo; as large as it is in a tab of its own. */
function Picture({ content, caption }: { content: string; caption: string }) {
  const source = `data:image/jpeg;base64,${content}`
  // A tab cannot be led to a `data:` address.
  const lead = (link: HTMLAnchorElement) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }))
    return () => URL.revokeObjectURL(link.href)
  }
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <a ref={lead} href={source} target="_blank" rel="noopener">
        <img src={source} alt={caption} />
      </a>
    </figure>
  )
}

/** A size, and by how much it differs from what is live. */
function Size({ bytes, live }: { bytes: number; live: number | undefined }) {
  const size = `${formatNumber(Math.round(bytes / 1000))} kB`
  if (live === undefined) return <>{size}</>
  const difference = formatNumber(Math.abs(bytes - live))
  if (bytes === live) return <>{size}, as live</>
  return bytes > live ? (
    <>
      {size}, {difference} bytes more than live
    </>
  ) : (
    <>
      {size}, {difference} bytes less than live
    </>
  )
}
