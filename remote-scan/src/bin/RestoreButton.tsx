import { scan } from '@dmp/contract'
import type { BinEntry } from '@dmp/contract/scan'
import { useAct } from '@dmp/kit'
import { Button, notify } from '@dmp/kit/ui'
import { nameEntry } from './entryTexts.ts'

export function RestoreButton({ entry }: { entry: BinEntry }) {
  const { act, busy, error } = useAct(scan.restore, {
    refreshes: scan.scanLists,
    onDone: () => notify.success('Scan restored'),
  })
  const name = nameEntry(entry)
  return (
    <>
      <Button
        size="small"
        loading={busy}
        aria-label={`Restore ${name}`}
        onClick={() => void act({ organizationId: entry.organizationId, ids: [entry.id] })}
      >
        Restore
      </Button>
      {error && <span role="alert">{error.message}</span>}
    </>
  )
}
