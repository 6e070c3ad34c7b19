import { organization, scan } from '@dmp/contract'
import type { ScanRow, Transfer, TransferProject } from '@dmp/contract/scan'
import { call, refresh, useCan, useLookup } from '@dmp/kit'
import { CheckboxField, FormModal, TextField, useFormValue } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { toSubject } from '../shared/scanSubject.ts'
import { SubjectList } from '../shared/SubjectList.tsx'
import { ProjectFields } from './ProjectFields.tsx'
import { newProject, noProject, TransferDraft } from './transferDraft.ts'
import { stopBeforeLeaving } from './stopBeforeLeaving.ts'

interface TransferModalProps {
  readonly organizationId: string
  /** The series that are transferred. */
  readonly rows: readonly ScanRow[]
  /** Where some of them did not arrive at, and how they were sent. */
  readonly again?: Pick<Transfer, 'dstOrganizationName' | 'anonymize' | 'project'>
  readonly onClose: () => void
  /** After it was started. */
  readonly onStarted: () => void
}

/** 5.12: where the scans go, how, and below which they are. A slip can be stopped before they leave. */
export function TransferModal({ organizationId, rows, again, onClose, onStarted }: TransferModalProps) {
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
      defaults={toDraft(again)}
      call={transfer}
      submitLabel="Transfer"
      onClose={onClose}
      onDone={(started) => {
        refresh([scan.listTransfers, scan.listTransferProjects])
        notify.success(
          'Successfully initiated Batch Transfer',
          started.leavesInSeconds === undefined
            ? undefined
            : {
                label: 'Stop',
                onAct: () => void stopBeforeLeaving(started),
                forMs: started.leavesInSeconds * 1000,
              },
        )
        onStarted()
      }}
    >
      <TextField
        name="dstOrganizationName"
        label="Destination organization name"
        autoFocus
        suggestions={useDestinations()}
      />
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

/** Names that the person knows: of their own transfers, the newest first, and of organizations that they may list. */
function useDestinations(): readonly string[] {
  const mayList = useCan(organization.list)
  const { data: transfers = [] } = useLookup(scan.listTransfers, {})
  const { data: organizations } = useLookup(organization.list, suggested, { enabled: mayList })
  const names = [
    ...transfers.map(({ dstOrganizationName }) => dstOrganizationName),
    ...(organizations?.rows ?? []).map(({ name }) => name),
  ]
  return [...new Set(names)].slice(0, suggested.pageSize)
}
const suggested = { page: 1, pageSize: 100 }

/** A project keeps its name: the copies that follow carry the pseudonyms of those that arrived. */
const toDraft = (again: TransferModalProps['again']): TransferDraft => ({
  dstOrganizationName: again?.dstOrganizationName ?? '',
  anonymize: again?.anonymize ?? true,
  isWarned: false,
  project: again?.project == null ? noProject : newProject,
  projectName: again?.project ?? '',
})

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
