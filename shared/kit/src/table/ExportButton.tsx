import { Button, DownloadOutlined } from '@dmp/kit/ui'
import { useState, type ReactNode } from 'react'

/** Exports the whole result of the search. */
export function ExportButton({ disabled, onExport }: { disabled: boolean; onExport: () => Promise<void> }): ReactNode {
  const [isBusy, setIsBusy] = useState(false)
  const run = () => {
    setIsBusy(true)
    void onExport().finally(() => setIsBusy(false))
  }
  return (
    <Button icon={<DownloadOutlined />} disabled={disabled} loading={isBusy} onClick={run}>
      Export CSV
    </Button>
  )
}
