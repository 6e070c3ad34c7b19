import { exact } from '@dmp/contract/fields'
import { add, OverrideSource } from '@dmp/contract/override'
import type { ShownPart } from '@dmp/contract/releaseCalls'
import { FormModal, TextField } from '@dmp/kit/form'

const Source = exact({ source: OverrideSource })

/** Uses another release of one part in this browser only. */
export function TryReleaseModal({
  part: { name, title, canary, before },
  onClose,
}: {
  part: ShownPart
  onClose: () => void
}) {
  const knownReleases = [canary && canaryText(canary.releaseId), before && beforeText(before.releaseId)]
    .filter(Boolean)
    .join(', ')
  return (
    <FormModal
      title={`Try another release of ${title}`}
      schema={Source}
      defaults={{ source: canary?.releaseId ?? before?.releaseId ?? '' }}
      draft={false}
      call={add}
      input={{ part: name }}
      submitLabel="Use it in this browser"
      onClose={onClose}
      onDone={() => location.reload()}
    >
      <p>Only this browser uses it, in your session. A bar on every screen shows it and lets you remove it.</p>
      <TextField
        name="source"
        label="Release"
        help={`The ID or version of a release, or a development server such as http://localhost:8080.${knownReleases ? ` ${knownReleases}.` : ''}`}
        autoFocus
      />
    </FormModal>
  )
}

const canaryText = (releaseId: string): string => `${releaseId} is the canary`
const beforeText = (releaseId: string): string => `${releaseId} was live before`
