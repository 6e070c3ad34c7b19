import { scan } from '@dmp/contract'
import type { ScanRow, Transfer, TransferProject } from '@dmp/contract/scan'
import { call, refresh, useLookup } from '@dmp/kit'
import { CheckboxField, FormModal, TextField, useFormValue } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { toSubject } from '../shared/scanSubject.ts'
import { SubjectList } from '../shared/SubjectList.tsx'
import { ProjectFields } from './ProjectFields.tsx'
import { newProject, noProject, TransferDraft } from './transferDraft.ts'
import { stopBeforeLeaving } from './stopBeforeLeaving.ts'
import { watchTransfer } from './watchTransfer.ts'

interface TransferModalProps {
  readonly organizationId: string
  /** The series that are transferred. */
  readonly rows: readonly ScanRow[]
  readonly onClose: () => void
  /** After it was started. */
  readonly onStarted: () => void
}

/** 5.12: where the scans go, how, and below which they are. A slip can be stopped before they leave. */
export function TransferModal({ organizationId, rows, onClose, onStarted }: TransferModalProps) {
  // A server of an earlier version has no projects: then the choice is left out.
  const { data: projects } = useLookup(scan.listTransferProjects, { organizationId })
  const transfer = async (draft: TransferDraft): Promise<Transfer> => {
    const { name } = await call(scan.findDestination, { name: draft.dstOrganizationName, organizationId })
    const project = findProjectName(draft, projects ?? [])
    return call(scan.transfer, {
      organizationId,
      scans: rows.map(({ studyUID, seriesUID }) => ({ studyUID, seriesUID })),
      dstOrganizationName: name,
      anonymize: draft.anonymize,
      ...(project !== undefined && { project }),
    })
  }
  return (
    <FormModal
      title="Batch Transfer"
      // A confirmation is given anew each time.
      draft={false}
      schema={TransferDraft}
      defaults={emptyDraft}
      call={transfer}
      submitLabel="Transfer"
      onClose={onClose}
      onDone={(started) => {
        refresh([scan.listTransfers, scan.listTransferProjects])
        notify.success(
          'Successfully initiated Batch Transfer',
          started.leavesInSeconds === undefined
            ? undefined
            : { label: 'Stop', onAct: () => void stopBeforeLeaving(started) },
        )
        void watchTransfer(started)
        onStarted()
      }}
    >
      <TextField name="dstOrganizationName" label="Destination organization name" autoFocus />
      <CheckboxField
        name="anonymize"
        label="Anonymize"
        help="The copies carry new identifiers and no patient data in their headers. Pictures that may show text wait until somebody has looked at them."
      />
      {projects && <ProjectFields projects={projects} />}
      <WarningWhenNotAnonymized />
      <SubjectList subjects={rows.map(toSubject)} />
    </FormModal>
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
