import { areKeysOn } from '@dmp/kit'
import { usePopover } from '@dmp/kit/ui'

/** What a page is for, in a few sentences beside its name; Escape and a click elsewhere close it. */
export function Help({ sentences }: { sentences: readonly string[] }) {
  const box = usePopover()
  return (
    <details ref={box} className="dmp-help">
      <summary aria-label="Help for this page" title="Help for this page">
        <span className="dmp-points">?</span>
      </summary>
      <div className="dmp-help-box">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {areKeysOn() && <p className="dmp-quiet">Press ? for the keys of this page.</p>}
        <p className="dmp-quiet">The instructions for use (IFU) stand at the foot of the page.</p>
      </div>
    </details>
  )
}
