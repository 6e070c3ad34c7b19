import { useRef, useState } from 'react'
import { organization } from '@dmp/contract'
import { isImportOpen, type OrganizationImport } from '@dmp/contract/organization'
import { formatBytes, useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, useEvery } from '@dmp/kit/table'
import { Button, Skeleton, notify } from '@dmp/kit/ui'
import { EndImportModal } from './EndImportModal.tsx'
import { ImportDetailsModal } from './ImportDetailsModal.tsx'
import { toImportColumns, type ImportAction } from './importColumns.tsx'
import { StartImportModal } from './StartImportModal.tsx'
import { useArchiveUpload } from './useArchiveUpload.ts'
import './import.css'

const pollMs = 2000
const none: readonly OrganizationImport[] = []

type Shown =
  | { readonly kind: 'start'; readonly file: File }
  | { readonly kind: 'end' | 'details'; readonly item: OrganizationImport }

/** What an import is, the one that is under way, and the last ones. */
export function ImportsSection({ id, name }: { id: string; name: string }) {
  const { data: imports = none, error, isPending, isFetching, refetch } = useLookup(organization.listImports, { id })
  const { upload, error: uploadError, send, stop } = useArchiveUpload(refetch)
  const [shown, setShown] = useState<Shown>()
  const input = useRef<HTMLInputElement>(null)
  const close = () => setShown(undefined)
  const open = imports.find(isImportOpen)
  const isUploading = open?.state === 'Uploading'

  // Asks again while an import is under way, and breaks off no answer that takes longer.
  useEvery(open && !isFetching ? pollMs : undefined, refetch)

  function take(file: File | undefined) {
    if (!file) return
    if (!isUploading) setShown({ kind: 'start', file })
    else if (file.size === open.bytes) send(open.id, file)
    else notify.error(`This is another file: the archive that was begun has ${formatBytes(open.bytes)}.`)
  }

  const act = (kind: ImportAction, item: OrganizationImport) => setShown({ kind, item })
  const mayContinue = isUploading && upload === undefined

  return (
    <>
      <Section title={`Import into ${name}`}>
        <div className="organization-import">
          <p>
            Takes in an archive (zip) that was exported here or on another installation. Every file is compared with its
            hash first. Scans go the way of any upload, and what is there already stays as it is.
          </p>
          <p className="dmp-quiet">
            People come deactivated and without a password. Complaints, links and audit events are kept as records of
            elsewhere: nothing of them opens or moves. An unpacked export can be packed again by any zip program.
          </p>
          <Button
            type="primary"
            disabled={isPending || (open !== undefined && !mayContinue)}
            onClick={() => input.current?.click()}
          >
            {mayContinue ? 'Continue' : 'Choose archive'}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".zip,application/zip"
            className="dmp-hidden"
            tabIndex={-1}
            aria-label="Archive"
            onChange={(event) => {
              take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          {upload && (
            <p className="dmp-quiet" role="status">
              {upload.isWaiting
                ? 'There is no connection. The upload goes on when it is back.'
                : 'Keep this page open until the archive has arrived. An upload that stops goes on later.'}
            </p>
          )}
          {mayContinue && (
            <p className="dmp-quiet">An upload has begun. Choose the same archive again to go on with it.</p>
          )}
          {open && !isUploading && <p className="dmp-quiet">An import is under way. You are told when it is over.</p>}
          <ErrorAlert error={uploadError} />
        </div>
      </Section>
      <Section title="Imports">
        <ErrorAlert error={error} onRetry={refetch} />
        {isPending ? (
          <Skeleton />
        ) : (
          <SimpleTable
            rows={imports}
            columns={toImportColumns(upload, act)}
            label="Imports"
            rowKey={(row) => row.id}
            emptyText="Nothing was imported in the last months."
          />
        )}
      </Section>
      {shown?.kind === 'start' && (
        <StartImportModal
          {...{ id, name }}
          file={shown.file}
          onClose={close}
          onStarted={(importId) => send(importId, shown.file)}
        />
      )}
      {shown?.kind === 'end' && <EndImportModal id={id} item={shown.item} onClose={close} onEnded={stop} />}
      {shown?.kind === 'details' && <ImportDetailsModal item={shown.item} onClose={close} />}
    </>
  )
}
