import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ScanRow, TransferProject } from '@dmp/contract/scan'
import { call, useAct, useLookup } from '@dmp/kit'
import { CheckboxField, FormModal, TextField, useFormValue } from '@dmp/kit/form'
import { ConfirmModal, Facts } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { toSubject } from '../shared/scanSubject.ts'
import { SubjectList } from '../shared/SubjectList.tsx'
import { ProjectFields } from './ProjectFields.tsx'
import { newProject, noProject, TransferDraft } from './transferDraft.ts'
import { watchTransfer } from './watchTransfer.ts'

interface TransferModalProps {
  readonly organizationId: string
  /** The series that are transferred. */
  readonly rows: readonly ScanRow[]
  readonly onClose: () => void
  /** After it was started. */
  readonly onStarted: () => void
}

/** 5.12, in two steps: the second shows the organization that was found and how many scans go there. */
export function TransferModal({ organizationId, rows, onClose, onStarted }: TransferModalProps) {
  const [draft, setDraft] = useState<TransferDraft>(emptyDraft)
  // A server of an earlier version has no projects: then the choice is left out.
  const { data: projects } = useLookup(scan.listTransferProjects, { organizationId })
  const [destination, setDestination] = useState<string>()
  const {
    act: transfer,
    busy,
    error,
    reset,
  } = useAct(scan.transfer, {
    refreshes: [scan.listTransfers, scan.listTransferProjects],
    onDone: (started) => {
      notify.success('Successfully initiated Batch Transfer')
      void watchTransfer(started)
      onStarted()
    },
  })

  if (destination === undefined) {
    return (
      <FormModal
        title="Batch Transfer"
        // A confirmation is given anew each time.
        draft={false}
        schema={TransferDraft}
        defaults={draft}
        call={({ dstOrganizationName }) => call(scan.findDestination, { name: dstOrganizationName, organizationId })}
        submitLabel="Continue"
        onClose={onClose}
        onDone={({ name }, values) => {
          setDraft(values)
          setDestination(name)
        }}
      >
        <TextField name="dstOrganizationName" label="Destination organization name" autoFocus />
        <CheckboxField name="anonymize" label="Anonymize" />
        {projects && <ProjectFields projects={projects} />}
        <WarningWhenNotAnonymized />
      </FormModal>
    )
  }
  const project = findProjectName(draft, projects ?? [])
  const scans = rows.map(({ studyUID, seriesUID }) => ({ studyUID, seriesUID }))
  return (
    <ConfirmModal
      title="Batch Transfer"
      confirmLabel="Transfer"
      cancelLabel="Back"
      danger={!draft.anonymize}
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() =>
        void transfer({
          organizationId,
          scans,
          dstOrganizationName: destination,
          anonymize: draft.anonymize,
          ...(project !== undefined && { project }),
        })
      }
      onClose={() => setDestination(undefined)}
    >
      <Facts
        columns={1}
        facts={[
          { label: 'Destination organization', value: <strong>{destination}</strong> },
          { label: 'Scans', value: rows.length },
          {
            label: 'Anonymize',
            value: draft.anonymize
              ? 'On: the copies carry new identifiers and no patient data in their headers. Pictures that may show text wait until somebody has looked at them.'
              : 'Off: the copies carry all patient data',
          },
          ...(project === undefined ? [] : [{ label: 'Project', value: project }]),
        ]}
      />
      <SubjectList subjects={rows.map(toSubject)} />
    </ConfirmModal>
  )
}

const emptyDraft: TransferDraft = {
  dstOrganizationName: '',
  anonymize: true,
  isWarned: false,
  project: noProject,
  projectName: '',
}

function findProjectName(draft: TransferDraft, projects: readonly TransferProject[]): string | undefined {
  if (!draft.anonymize || draft.project === noProject) return undefined
  return draft.project === newProject ? draft.projectName : projects.find(({ id }) => id === draft.project)?.name
}

function WarningWhenNotAnonymized() {
  if (useFormValue<boolean>('anonymize')) return null
  return (
    <CheckboxField
      name="isWarned"
      short="the confirmation"
      label="Are you sure you want to transfer non-anonymized scans to another organization? This can be misused and private patient data can be leaked."
    />
  )
}
