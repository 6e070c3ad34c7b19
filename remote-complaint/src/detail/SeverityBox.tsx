import { complaint } from '@dmp/contract'
import { dataWord, useAct, useCan, useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Flex, StatusBadge, notify } from '@dmp/kit/ui'
import { ChoiceButton } from './ChoiceButton.tsx'
import { useMayLoadLists } from './useMayLoadLists.ts'

/** Current severity, and a dropdown to change it if permitted, without a comment (4.02, 6.04). */
export function SeverityBox({ item }: { item: complaint.Complaint }) {
  const mayList = useMayLoadLists()
  const mayChange = useCan(complaint.updateSeverity) && mayList
  const severities = useLookup(complaint.listSeverities, {}, { enabled: mayChange })
  const { act, busy, error, reset } = useAct(complaint.updateSeverity, {
    refreshes: [complaint.list],
    onDone: (updated) => notify.success(`Complaint severity updated to ${dataWord(updated.severity)}`),
  })
  return (
    <Section title="Current Severity">
      <Flex justify="space-between" align="center" gap="small" wrap>
        <StatusBadge value={item.severity} />
        {mayChange && (
          <ChoiceButton
            label="Change severity"
            current={item.severity}
            choices={severities.data}
            busy={busy || severities.isPending}
            onChoose={(severityId) => void act({ id: item.id, severityId, seenUpdatedDate: item.updatedDate })}
          />
        )}
      </Flex>
      <ErrorAlert error={severities.error} onRetry={severities.refetch} />
      <ErrorAlert error={error} onClose={reset} />
    </Section>
  )
}
